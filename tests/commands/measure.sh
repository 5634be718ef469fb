# Four knees that differ by their transforms alone: what these give agrees with what is counted. Bones leave the field of
# view, cartilage does not.
expect_ok aladdin synth -o knees --subjects 4 --val 1 --test 0 --size 40,64,64 --spacing 2.8,2.2,2.2 --seed 3 --thickness 0 --lesions 0
to_atlas='knees/transforms/{id}_from-native_to-atlas_mode-image_xfm.nii.gz'
true_sizes=(measure --to-atlas "$to_atlas" --cohort knees/cohort.csv
  --atlas knees/atlas/image.nii.gz --atlas-labels knees/atlas/labels.nii.gz)

# column FILE NAME: that column of a CSV without quotes
column() {
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) c = i; next } { print $c }' "$1"
}
# within SHARE A B
within() { awk -v s="$1" -v a="$2" -v b="$3" 'BEGIN { d = a / b - 1; exit !(d < s && -d < s) }'; }

printf 'label,name\n1,femur\n3,tibia\n' >names.csv
expect_out 'tibia' aladdin "${true_sizes[@]}" -o sizes --names names.csv
[[ $(wc -l <sizes/measures.csv) == 21 ]] || complain 'not a line per subject and structure' measure
[[ $(find sizes/maps -name '*_logjacobian.nii.gz' | wc -l) == 8 ]] || complain 'not two maps per subject' measure
[[ $(column sizes/measures.csv age | sort -u | wc -l) -gt 1 ]] || complain 'no covariates' measure
while read -r label counted given; do
  case $label in 2 | 4) within .1 "$given" "$counted" || complain "label $label: $given, counted $counted" measure ;; esac
done < <(paste <(column sizes/measures.csv label) <(column sizes/measures.csv volume) <(column sizes/measures.csv jacobian_volume))
expect_out '40 x 64 x 64' aladdin info sizes/maps/"$(column sizes/measures.csv id | head -1)"_space-atlas_desc-absolute_logjacobian.nii.gz

# The identity is of the atlas's size everywhere
expect_out '"folds": 0' aladdin measure --to-atlas identity --images 'knees/images/{id}.nii.gz' \
  --atlas knees/atlas/image.nii.gz -o same --json
[[ $(column same/measures.csv log_jacobian | sort -u) == 0 ]] || complain 'the identity changes sizes' measure

# The same bits on any number of threads, and smoothing
for threads in 1 3; do
  expect_ok aladdin "${true_sizes[@]}" -o "on$threads" --smooth 8 --threads $threads -q
done
diff -r on1 on3 >/dev/null || complain 'threads change the measures' measure
! cmp -s on1/maps/"$(ls on1/maps | head -1)" sizes/maps/"$(ls on1/maps | head -1)" || complain 'nothing was smoothed' measure

# Nothing is overwritten; with --force the old maps go and other files stay
expect_fail 1 'exists already' aladdin "${true_sizes[@]}" -o sizes
touch sizes/maps/gone_space-atlas_desc-absolute_logjacobian.nii.gz sizes/maps/mine.txt
expect_ok aladdin "${true_sizes[@]}" -o sizes --maps relative --total 1,3 --force
[[ -e sizes/maps/mine.txt && $(ls sizes/maps | wc -l) == 5 ]] || complain 'old maps stay, or others go' measure
expect_ok aladdin "${true_sizes[@]}" -o table --maps none
[[ ! -e table/maps ]] || complain 'maps that nobody asked for' measure

# A run, and an image that came later
expect_ok aladdin build knees/cohort.csv -o run --engine optimise --epochs 1,1 --set train.pyramid=[2,1] \
  --set optimise.iterations=2 --no-report -q
expect_out '4 subjects, mean (sd)' aladdin measure run -o of_run
[[ $(column of_run/measures.csv age | sort -u | wc -l) -gt 1 ]] || complain 'a run forgets the covariates' measure
expect_ok aladdin register run "$(ls -d knees/images/* | head -1)" -o later -q
expect_out '1 subject, mean (sd)' aladdin measure run -o later_sizes \
  --to-atlas 'later/transforms/{id}_from-native_to-atlas_mode-image_xfm.nii.gz'
expect_out '1 subject, mean (sd)' aladdin measure run -o val --split val --maps none

# Wrong use, and files that will not do
make_image labels labels.nii
expect_fail 2 'expected a RUN, or --to-atlas' aladdin measure -o x
expect_fail 2 'the atlas of which grid?' aladdin measure --to-atlas "$to_atlas" -o x
expect_fail 2 'which has its own' aladdin measure run --atlas knees/atlas/image.nii.gz -o x
expect_fail 2 'the atlas has no label 9' aladdin measure run --total 1,9 -o x
expect_fail 2 'expected labels, such as 1,2,3' aladdin measure run --total femur -o x
expect_fail 2 'expected mm, 0 or more' aladdin measure run --smooth -1 -o x
expect_fail 1 'is not on the atlas grid' aladdin measure run --mask labels.nii -o x
expect_fail 1 'is not a run directory' aladdin measure knees -o x
expect_fail 1 'are not there' aladdin measure --to-atlas 'none/{id}.nii.gz' --cohort knees/cohort.csv \
  --atlas knees/atlas/image.nii.gz -o x
touch occupied
expect_fail 1 'occupied' aladdin measure run -o occupied
