export OMP_WAIT_POLICY=passive
aladdin synth -o knees --subjects 6 --val 2 --test 2 --size 28,34,34 --spacing 4,4,4 --threads 1 -q
# A table of a moment: every engine and flow once.
small=(--set E,F,G,H,I,J,K:network.width=2 --set E,F,G,H,I,J,K:network.depth=2 --set E,F,G,H,I,J,K,L:train.epochs=1
       --set C,D:demons.iterations=5 --set L:train.pyramid=1 --set L:optimise.iterations=3 --threads 1)
compare() { aladdin compare knees/cohort.csv -o "$1" --spacing 6 "${small[@]}" "${@:2}"; }

lines=A,B,C,D,E2,F1,G1,H3,J3,K4,L
expect_out 'Dalca' compare table --methods $lines --group bone=1,3 --group cartilage=2,4
cp "$folder/talk/out" first.txt
for line in ${lines//,/ }; do
  [[ -s table/$line/run/atlas.nii.gz && -s table/$line/evaluation-test.json ]] || complain "line $line was not run" compare
done
[[ $(grep -c '^| [A-L]' table/table.md) == 11 ]] || complain 'table.md has not a row a line' compare
[[ $(wc -l <table/table.csv) == 12 ]] || complain 'table.csv has not a row a line' compare
grep -q 'bone' table/table.tex || complain 'no group in the LaTeX table' compare
grep -q '<td>Aladdin' table/table.html || complain 'no method on the page' compare
python3 -c 'import json; t = json.load(open("table/table.json")); assert len(t["lines"]) == 11' || complain 'table.json' compare
# Rows with the same transforms would be stubs of each other.
[[ $(md5sum table/*/run/transforms/knee001_from-native* | cut -c1-32 | sort -u | wc -l) == 11 ]] ||
  complain 'two lines have the same transforms' compare
# B is aligned by affine maps that others read
[[ $(ls table/B/run/affines/*.tfm | wc -l) == 6 ]] || complain 'no affine maps' compare
affine=table/B/run/affines/knee001_from-native_to-atlas_mode-image_affine.tfm
expect_out 'affine' aladdin info $affine
printf 'x,y,z\n-90,-20,-10\n' >point.csv
expect_ok aladdin warp --points point.csv --transform $affine
tail -1 "$folder/talk/out" >by_affine.csv
expect_ok aladdin warp --points point.csv --transform table/B/run/transforms/knee001_from-native_to-atlas_mode-image_xfm.nii.gz
tail -1 "$folder/talk/out" | paste -d, by_affine.csv - | awk -F, '{ for (a = 1; a <= 3; a++) { d = $a - $(a + 3); if (d > 0.01 || d < -0.01) exit 1 } }' ||
  complain 'the affine map is not the transform' compare
grep -q 'bundled' table/D/run/log.txt || complain 'the hierarchy is not in the log' compare

# Every line registers new images, as it registered them as members of its cohort
grep -E '^id|test' knees/cohort.csv >knees/test.csv
mapfile -t new < <(cut -d, -f2 knees/test.csv | tail -n +2 | sed 's|^|knees/|')
(( ${#new[@]} == 2 )) || complain 'not two test subjects' compare
scores() { expect_ok aladdin evaluate "$@" --no-surfaces --csv scores.csv --force; cut -d, -f4-7 scores.csv | tail -n +2; }
for line in ${lines//,/ }; do
  expect_ok aladdin register table/$line/run "${new[@]}" -o new/$line --threads 1 -q
  xfm="new/$line/transforms/{id}"
  member=$(scores table/$line/run --split test)
  stranger=$(scores --cohort knees/test.csv --split test --to-atlas "${xfm}_from-native_to-atlas_mode-image_xfm.nii.gz" \
    --to-native "${xfm}_from-atlas_to-native_mode-image_xfm.nii.gz")
  paste -d, <(echo "$member") <(echo "$stranger") |
    awk -F, '{ for (k = 1; k <= 4; k++) if (($k - $(k + 4))^2 > 1e-6) bad = 1 } NF != 8 || !($1 > 0.01) { bad = 1 } END { exit bad || NR != 2 }' ||
    complain "line $line: bridge Dice" $member 'of members,' $stranger 'of the same as new images' register
done
expect_fail 2 'only velocities can be refined' aladdin register table/E2/run "${new[@]}" -o no --refine 5
expect_ok aladdin segment table/C/run "${new[@]}" -o segmented

# What is done is kept: nothing is run again, and a killed line goes on
touch -d '2001-01-01' table/*/run/atlas.nii.gz
rm -r table/J3
expect_ok compare table --methods $lines --group bone=1,3 --group cartilage=2,4
cut -c1-90 "$folder/talk/out" | cmp - <(cut -c1-90 first.txt) || complain 'another table' compare
[[ $(find table/*/run/atlas.nii.gz -newermt 2002-01-01 | wc -l) == 1 ]] || complain 'a finished line was run again' compare

expect_fail 2 "there is no method 'Z'" aladdin compare knees/cohort.csv -o other --methods Z
sed 2d knees/cohort.csv >knees/fewer.csv
expect_fail 2 'was started with another cohort' aladdin compare knees/fewer.csv -o table --methods A
expect_fail 2 'was started with other settings' compare table --methods J3 --set J3:loss.lambda=7
expect_fail 1 "was not made by 'aladdin compare'" aladdin compare knees/cohort.csv -o knees --methods A
expect_fail 2 'expected [1]' aladdin build knees/cohort.csv -o no --preset joshi --pyramid 2,1 --epochs 1,1

# tune: every point once, the winner as a file that builds
tune() {
  aladdin tune knees/cohort.csv -o search --spacing 6 --set train.engine=learn --set network.width=2 --set network.depth=2 \
    --set train.pyramid=1 --set train.epochs=1 --set train.least=1 --set train.refine=0 --set network.passes=1 --threads 1 \
    --grid loss.lambda=0.1,10 --grid 'train.augment=0,0.3'
}
expect_ok tune
[[ $(wc -l <"$folder/talk/out") == 4 && $(wc -l <search/ranking.csv) == 5 ]] || complain 'not a line a point' tune
touch -d '2001-01-01' search/*/run/atlas.nii.gz
cp search/ranking.csv first_ranking.csv
expect_ok tune
cmp search/ranking.csv first_ranking.csv || complain 'another ranking of what was kept' tune
expect_fail 2 "names 'loss.lambda' twice" aladdin tune knees/cohort.csv -o s2 --grid loss.lambda=1,2 --grid loss.lambda=3
expect_fail 2 'expected minutes' aladdin tune knees/cohort.csv -o s2 --grid loss.lambda=1,2 --budget -1
expect_fail 2 'train.epochs' aladdin compare knees/cohort.csv -o s2 --methods A --set J3:train.epochs=-5
[[ $(find search/*/run/atlas.nii.gz -newermt 2002-01-01 | wc -l) == 0 ]] || complain 'a point was run again' tune
expect_ok aladdin build knees/cohort.csv -o best --config search/best.toml --dry-run
expect_fail 2 'is not of the form' aladdin tune knees/cohort.csv -o s2 --grid loss.lambda
expect_fail 2 'loss.lambd' aladdin tune knees/cohort.csv -o s2 --grid loss.lambd=1,2
