# synth …: small enough to take no time
synth() { aladdin synth --size 28,36,36 --spacing 4,4,4 --subjects 1 -o knees "$@"; }
expect_ok synth
expect_fail 1 'knees' synth
expect_ok synth --force

expect_fail 2 '--output' aladdin synth --subjects 1
other() { aladdin synth -o other "$@"; }
expect_fail 2 '--subjects' other --subjects 0
expect_fail 2 "'many' is not a value of --subjects" other --subjects many
expect_fail 2 '--subjects' other --subjects 3 --subjects 4
expect_fail 2 '--size' other --size 0,24,24
expect_fail 2 '--size' other --size 16,x,24
expect_fail 2 '--size' other --size 16
expect_fail 2 '--spacing' other --spacing 0,1,1
expect_fail 2 '--spacing' other --spacing -1,1,1
expect_fail 2 '--spacing' other --spacing nan,1,1
expect_fail 2 "'x' is not a value of --seed" other --seed x
expect_fail 2 "no flag '--subject'; did you mean '--subjects'?" other --subject 3
: >file
expect_fail 1 'file' aladdin synth --size 28,36,36 --spacing 4,4,4 --subjects 1 -o file
expect_fail 2 'too coarse' other --size 16,24,24
expect_fail 2 "'-1' is not a value of --seed" other --seed -1
