# Sixteen slices and their covariates: age, sex, thickness of the cartilage. A short build is enough here.
export OMP_WAIT_POLICY=passive
aladdin synth --slice --subjects 18 --val 2 --test 0 --size 24,40,40 --spacing 4,4,4 --seed 5 -q -o slices
aladdin build slices/cohort.csv -o run --engine optimise --epochs 1,1 --set train.pyramid=[2,1] \
  --set optimise.iterations=10 --no-report -q
: >"$folder/talk/err"
[[ $(ls run/velocities | wc -l) -eq 18 ]] || complain 'not one velocity per subject' build
[[ -s run/velocities/knee001_from-native_to-atlas_mode-image_velocity.nii.gz ]] || complain 'the name of a velocity' build
files=(atlas.nii.gz atlas_labels.nii.gz atlas_probabilities.nii.gz atlas_variability.nii.gz logjacobian.nii.gz
  from-population_to-conditional_mode-image_xfm.nii.gz from-conditional_to-population_mode-image_xfm.nii.gz)

# Everybody: where the population's atlas is, with its labels
expect_out '16 of 16 training subjects' aladdin atlas run -o everybody
for file in "${files[@]}" atlas.json volumes.csv weights.csv page.html; do
  [[ -s everybody/$file ]] || complain "no $file" atlas
done
grep -A3 displacement_mm everybody/atlas.json | grep -q '"max": 0.0' || complain 'everybody has moved' atlas
cmp everybody/atlas_labels.nii.gz run/atlas_labels.nii.gz || complain 'everybody has other labels than the run' atlas
[[ $(aladdin info everybody/atlas.nii.gz | sed -n 2,3p) == "$(aladdin info run/atlas.nii.gz | sed -n 2,3p)" ]] ||
  complain 'the grid of the atlas' atlas

# A subgroup, an age, both
expect_ok aladdin atlas run --where 'sex=F' -o women
[[ $(wc -l <women/weights.csv) -eq $(($(grep -c ',train,.*,F,' slices/cohort.csv) + 1)) ]] || complain 'who is a woman?' atlas
expect_out 'leave-one-out error' aladdin atlas run --at age=60 -o sixty
expect_out 'age=60,sex=F where lesions<9' aladdin atlas run --at age=60,sex=F --where 'lesions<9' --bandwidth 20 -o both
grep -q '"chosen": "given"' both/atlas.json || complain 'a given bandwidth' atlas
expect_out '"format": "aladdin atlas"' aladdin atlas run --at 'C(lesions)=1' -o json --json

printf 'label,name\n1,thigh bone\n' >names.csv
expect_ok aladdin atlas run --at age=60 --bandwidth 20 --names names.csv -o named
grep -q 'age=60,1,thigh bone,' named/volumes.csv || complain 'names of labels' atlas

# A sweep
expect_ok aladdin atlas run --sweep age=55:70:5 --bandwidth 10 -o ages
for age in 55 60 65 70; do
  for file in "${files[@]}"; do [[ -s ages/age-$age/$file ]] || complain "no $file for $age" atlas; done
done
expect_out 'volumes        4' aladdin info ages/sweep.nii.gz
[[ -s ages/sweep_labels.nii.gz && $(wc -l <ages/volumes.csv) -eq 17 ]] || complain 'the files of a sweep' atlas
grep -q 'subjects_low' ages/volumes.csv || complain 'no bootstrap band' atlas
expect_fail 1 'exists already' aladdin atlas run --at age=60 -o ages
expect_ok aladdin atlas run --at age=60 --bandwidth 10 -o ages --force
[[ ! -e ages/age-55 && ! -e ages/sweep.nii.gz && -s ages/atlas.nii.gz ]] || complain 'files of an earlier sweep stay' atlas

# The same bits on any number of threads
for threads in 1 3; do expect_ok aladdin atlas run --sweep age=55:65:5 -o on$threads --threads $threads -q; done
diff -r on1 on3 >/dev/null || complain 'threads change the atlas' atlas

# Registration to an age, and on to the population
mkdir new && cp slices/images/knee017.nii.gz new/
expect_ok aladdin register run new/knee017.nii.gz --at age=60 --bandwidth 10 -o at60
for way in native_to-atlas atlas_to-native native_to-conditional conditional_to-native; do
  [[ -s at60/transforms/knee017_from-${way}_mode-image_xfm.nii.gz ]] || complain "no transform $way" register
done
[[ -s at60/labels/knee017.nii.gz && -s at60/warped/knee017.nii.gz ]] || complain 'no labels, no warped image' register
expect_fail 2 'needs the subjects of its run' aladdin register run/model.safetensors new/knee017.nii.gz --at age=60 -o x
expect_fail 2 'for --at and --where' aladdin register run new/knee017.nii.gz --bandwidth 3 -o x

# Wrong questions
expect_fail 2 "no covariate 'agee'" aladdin atlas run --at agee=60 -o x
expect_fail 2 "no covariate 'agee'" aladdin atlas run --where 'agee>60' -o x
expect_fail 2 'no subject has sex=W; there are F, M' aladdin atlas run --at sex=W -o x
expect_fail 2 'outside the range of the 16 subjects' aladdin atlas run --at age=5 -o x
expect_ok aladdin atlas run --at age=95 --bandwidth 40 --extrapolate -o beyond
expect_fail 2 'cannot be read at' aladdin atlas run --where 'age>' -o x
expect_fail 2 'has no two values' aladdin atlas run --sweep age=60:50:5 -o x
expect_fail 2 'both fixed by --at and swept' aladdin atlas run --at age=60 --sweep age=50:60:5 -o x
expect_fail 2 '--bandwidth is given, but no number' aladdin atlas run --where sex=F --bandwidth 5 -o x
expect_fail 2 'too few different subjects are near' aladdin atlas run --at age=60.5 --bandwidth .001 -o x
expect_fail 1 'is a run directory' aladdin atlas run --at age=60 --bandwidth 9 -o run --force
expect_fail 1 'no run.json' aladdin atlas slices -o x

# Missing values, constant columns, one subject
edit_run() { cp -r run "$1"; sed -i "$2" "$1/run.json"; }
edit_run gaps '0,/"sex": "[FM]"/s//"sex": ""/'
expect_fail 2 "1 subject has no value of 'sex': knee001; complete the table, or omit these subjects with --drop-missing" \
  aladdin atlas gaps --where sex=F -o x
expect_ok aladdin atlas gaps --where sex=F --drop-missing -o gaps_f
edit_run same 's/"age": "[0-9]*"/"age": "50"/'
expect_fail 2 "'age' is 50 for every subject of the group" aladdin atlas same --at age=50 -o x
edit_run alone 's/"sex": "F"/"sex": "M"/; 0,/"sex": "M"/s//"sex": "F"/'
expect_fail 2 "only one training subject has sex=F: 'knee001'" aladdin atlas alone --at sex=F -o x

# A run without velocities, an image that is gone
cp -r run older && rm -r older/velocities
expect_fail 1 'has no velocities of its subjects' aladdin atlas older -o x
mv slices/images/knee003.nii.gz elsewhere.nii.gz
expect_fail 1 "the image of 'knee003' is not at" aladdin atlas run -o x
