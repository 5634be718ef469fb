# Sixteen slices and a covariate that is the truth: cartilage thickness. A short build is enough here.
export OMP_WAIT_POLICY=passive
aladdin synth --slice --subjects 16 --val 0 --test 0 --size 24,40,40 --spacing 4,4,4 --seed 5 -q -o slices
aladdin build slices/cohort.csv -o run --engine optimise --epochs 1,1 --set train.pyramid=[2,1] \
  --set optimise.iterations=10 --no-report -q
: >"$folder/talk/err"
ids=($(awk -F, 'NR > 1 { print $1 }' slices/cohort.csv))
age=(stats run --model 'age + sex' --test age --permutations 99)

expect_out 't(13), 16 subjects, 99 permutations' aladdin "${age[@]}" -o age
for file in t effect effect_low effect_high partial_r tfce p p_permuted p_fdr p_fwe p_tfce; do
  [[ -s age/$file.nii.gz ]] || complain "no map $file" stats
done
for file in clusters.csv structures.csv stats.json design.csv page.html; do
  [[ -s age/$file ]] || complain "no $file" stats
done
[[ ! -e age/permutations.state ]] || complain 'a finished test leaves its state' stats
expect_out '40 x 40' aladdin info age/t.nii.gz
grep -q 'permutations of subjects' age/stats.json || complain 'how were they shuffled?' stats
[[ $(wc -l <age/structures.csv) -gt 2 ]] || complain 'no structures' stats

# The same bits on any number of threads; other seeds, other permutations
for threads in 1 3; do expect_ok aladdin "${age[@]}" -o on$threads --threads $threads -q; done
diff -r on1 on3 >/dev/null || complain 'threads change what is found' stats
expect_ok aladdin "${age[@]}" -o seeded --seed 7 -q
! cmp -s age/p_fwe.nii.gz seeded/p_fwe.nii.gz || complain 'the seed does nothing' stats
cmp age/t.nii.gz seeded/t.nii.gz || complain 'the seed changes t' stats

# A killed test resumes where it was
long=(stats run --model 'age + sex' --test age --permutations 60000 -o long)
"$ALADDIN" "${long[@]}" -q >/dev/null 2>&1 &
running=$!
for _ in {1..200}; do [[ -d long ]] && break; sleep .05; done
sleep .5
kill -TERM "$running"
wait "$running" && complain 'a stopped test says that it is done' stats
[[ -s long/permutations.state && ! -e long/stats.json ]] || complain 'a stopped test keeps no state' stats
expect_fail 2 'has a test that was stopped' aladdin "${long[@]}"
expect_fail 1 'belongs to another analysis' aladdin "${long[@]}" --resume --seed 3
expect_ok aladdin "${long[@]}" --resume
expect_ok aladdin "${long[@]:0:8}" -o whole
diff -r long whole >/dev/null || complain 'resumed differs from uninterrupted' stats

# Categories, interactions, combinations, the mean, blocks, other measures
{ echo id,group,who; for n in "${!ids[@]}"; do echo "${ids[n]},$(( n % 3 )),p$(( n / 2 ))"; done; } >groups.csv
few=(--covariates groups.csv --permutations 49)
expect_out 'F(2, 13)' aladdin stats run --model 'C(group)' --test group "${few[@]}" -o groups
[[ -s groups/F.nii.gz && ! -e groups/effect.nii.gz ]] || complain 'the maps of F' stats
expect_ok aladdin stats run --model 'C(group) + total' --test 'group[2] - group[1]' "${few[@]}" -o pair
expect_fail 1 'exists already' aladdin stats run --model 'C(group)' --test group "${few[@]}" -o pair
expect_ok aladdin stats run --model 'C(group)' --test group "${few[@]}" -o pair --force --no-tfce
[[ -s pair/F.nii.gz && ! -e pair/t.nii.gz && ! -e pair/effect.nii.gz && ! -e pair/p_tfce.nii.gz ]] ||
  complain 'maps of an earlier test stay' stats
expect_ok aladdin stats run --model 'age*sex' --test age:sex "${few[@]}" -o slopes --measure relative --smooth 0
expect_ok aladdin stats run --model 1 --test 1 "${few[@]}" -o mean
grep -q 'sign flips of subjects' mean/stats.json || complain 'the mean is not tested by sign flips' stats
expect_ok aladdin stats run --model age --test age --blocks who "${few[@]}" -o blocks
grep -q 'permutations within 8 blocks' blocks/stats.json || complain 'blocks are ignored' stats
expect_ok aladdin stats run --model age --test age --permutations 0 -o plain
[[ ! -e plain/p_fwe.nii.gz ]] || complain 'corrected without permutations' stats
expect_ok aladdin stats run --model age --test age --permutations 199 --tail gamma --no-tfce -o tail
[[ ! -e tail/p_tfce.nii.gz ]] || complain 'TFCE that nobody asked for' stats

# Tables that lack someone or something
head -13 groups.csv >some.csv
expect_out 't(10), 12 subjects' aladdin stats run --model age --test age --covariates some.csv --permutations 0 -o some
grep -q '4 subjects of the run left out' "$folder/talk/err" || complain 'who was left out?' stats
sed '3s/,[^,]*,/,,/' groups.csv >holes.csv
expect_fail 2 "1 subject has no value of 'group': ${ids[1]}" \
  aladdin stats run --model 'C(group)' --test group --covariates holes.csv -o x
expect_out '15 subjects' aladdin stats run --model 'C(group)' --test group --covariates holes.csv \
  --drop-missing --permutations 0 -o holes

# Bad designs: one sentence each
{ echo id,years,site,many; for n in "${!ids[@]}"; do echo "${ids[n]},$(( n * n )),A,v$n"; done; } >bad.csv
awk -F, 'NR == FNR { a[$1] = $5; next } FNR == 1 { print $0 ",twice"; next } { print $0 "," 2 * a[$1] }' \
  slices/cohort.csv bad.csv >worse.csv
bad() { expect_fail 2 "$1" aladdin stats run --model "$2" --test "$3" --covariates worse.csv -o x; }
bad "'years:years' is no term" years years:years
bad "'twice' is a combination of the terms before it" 'age + sex + twice' age
bad "'site' is 'A' for every subject and explains nothing" 'years + site' years
bad "there is no covariate 'yeers'; expected one of" 'yeers' yeers
bad 'too many for a category' 'many' many
bad "16 subjects are too few for the 16 columns of the model, 15 of them those of 'many'" 'C(many)' many
bad "cannot be read at '+ sex'" 'age ++ sex' age
bad "all its weights are 0" 'sex' 'sex[F]'

# Wrong use
expect_fail 2 '--model' aladdin stats run --test age -o x
expect_fail 2 "there is no covariate 'x'" aladdin stats run --model age --test age --blocks x -o x
expect_fail 2 'expected a number from 0' aladdin stats run --model age --test age --permutations -1 -o x
expect_fail 2 '50 permutations are too few to fit a tail' \
  aladdin stats run --model age --test age --permutations 50 --tail pareto -o x
printf 'id,a\nx,1\n' >strangers.csv
expect_fail 1 'none of its ids is a subject' aladdin stats run --model age --test age --covariates strangers.csv -o x
expect_fail 1 'exists already' aladdin "${age[@]}" -o age
expect_fail 1 'is not a run directory' aladdin stats slices --model age --test age -o x
