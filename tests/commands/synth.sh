# synth …: small enough to take no time
synth() { aladdin synth --size 28,36,36 --spacing 4,4,4 --subjects 1 -o knees "$@"; }
expect_ok synth
expect_fail 1 "the folder 'knees' is not empty" synth
expect_ok synth --force

expect_fail 2 'aladdin synth needs --output' aladdin synth --subjects 1
other() { aladdin synth -o other "$@"; }
expect_fail 2 '--subjects 0 is out of range, expected 1 to' other --subjects 0
expect_fail 2 "'many' is not a value of --subjects" other --subjects many
expect_fail 2 '--subjects is given 2 times' other --subjects 3 --subjects 4
expect_fail 2 '--size has 0 voxels along axis 0, expected' other --size 0,24,24
expect_fail 2 "'16,x,24' is not a value of --size" other --size 16,x,24
expect_fail 2 '--size has 1 numbers, expected 3' other --size 16
expect_fail 2 '--spacing has 0 mm along axis 0, expected' other --spacing 0,1,1
expect_fail 2 '--spacing has -1 mm along axis 0, expected' other --spacing -1,1,1
expect_fail 2 '--spacing has nan mm along axis 0, expected' other --spacing nan,1,1
expect_fail 2 "'x' is not a value of --seed" other --seed x
expect_fail 2 "no flag '--subject'; did you mean '--subjects'?" other --subject 3
: >file
expect_fail 1 "'file' is a file, expected a folder" aladdin synth --size 28,36,36 --spacing 4,4,4 --subjects 1 -o file
expect_fail 2 'too coarse' other --size 16,24,24
expect_fail 2 "'-1' is not a value of --seed" other --seed -1
expect_out 'front-back, up-down [40,96,96]' aladdin synth --help

# Ended half-way: whole files or none, and no cohort
killed() {
  "$ALADDIN" synth -q -o "killed$1" --size 80,192,192 --spacing 1.4,0.73,0.73 --subjects 2 &
  local program=$! tries=0
  until [[ -n $(find "killed$1" -name '.*.gz' 2>/dev/null) ]] || (( ++tries > 4000 )); do sleep 0.005; done
  kill "-$1" "$program"
  wait "$program"
}
for signal in TERM HUP; do
  run_case killed "$signal"
  (( status == 128 + $(kill -l "$signal") )) || complain "exit code $status after SIG$signal" synth
  left=$(find "killed$signal" -name '.*' -o -name cohort.csv)
  [[ -z $left ]] || complain "left behind after SIG$signal: $left" synth
  find "killed$signal" -name '*.gz' -exec gzip -t {} + || complain "half a file after SIG$signal" synth
done

# What is written and what --force removes stays in the folder, whatever links say
for name in atlas images labels transforms; do
  mkdir linked elsewhere
  : >elsewhere/knee001.nii.gz
  ln -s ../elsewhere "linked/$name"
  expect_fail 1 'is a symbolic link' aladdin synth --size 28,36,36 --spacing 4,4,4 --subjects 1 -o linked --force
  rm -r linked elsewhere
done
