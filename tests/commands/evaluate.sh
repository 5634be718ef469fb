# Four knees with the transforms that made them: the truth is a good registration, the identity is not.
expect_ok aladdin synth -o knees --subjects 4 --size 24,40,40 --spacing 4,4,4 --seed 3
to_atlas='knees/transforms/{id}_from-native_to-atlas_mode-image_xfm.nii.gz'
labels='knees/labels/{id}.nii.gz'

# The mean bridge Dice of the table on stdout
mean_bridge() { awk '$1 == "mean" { print $2; exit }' "$folder/talk/out"; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

expect_ok aladdin evaluate --labels "$labels" --to-atlas identity
none=$(mean_bridge)
expect_ok aladdin evaluate --labels "$labels" --to-atlas "$to_atlas"
true=$(mean_bridge)
less "$none" "$true" || complain "bridge Dice $none without and $true with the true transforms" evaluate
less 0.7 "$true" || complain "bridge Dice $true with the true transforms" evaluate
expect_ok aladdin evaluate --labels "$labels" --to-atlas "$to_atlas" --exact
less "$none" "$(mean_bridge)" || complain 'exact is below the identity' evaluate

# Files for programs, other sources of the same
expect_out '"bridge_votes": "summed"' aladdin evaluate --labels "$labels" --to-atlas "$to_atlas" --json --csv a.csv
expect_out 'only --to-atlas is given' bash -c "\"$ALADDIN\" evaluate --labels '$labels' --to-atlas '$to_atlas' 2>&1"
expect_ok aladdin evaluate --cohort knees/cohort.csv --to-atlas "$to_atlas" --atlas knees/atlas/image.nii.gz
expect_ok aladdin evaluate --labels "$labels" --to-atlas "$to_atlas" --atlas-labels knees/atlas/labels.nii.gz
grep -q 'atlas segmentation given' "$folder/talk/out" || complain 'the atlas labels are not used' evaluate
[[ $(wc -l <a.csv) == 5 ]] || complain 'not a line for each subject' evaluate
expect_out 'bone' aladdin evaluate --labels "$labels" --to-atlas identity --group bone=1,2 --no-surfaces

# Wrong use
expect_fail 2 'expected a RUN' aladdin evaluate
expect_fail 2 'which transforms' aladdin evaluate --labels "$labels"
expect_fail 2 'has no {id}' aladdin evaluate --labels knees/labels/x.nii.gz --to-atlas identity
expect_fail 2 'such as bone=1,3' aladdin evaluate --labels "$labels" --to-atlas identity --group bone
expect_fail 2 'has the label 77' aladdin evaluate --labels "$labels" --to-atlas identity --group x=77
expect_fail 1 'exists already' aladdin evaluate --labels "$labels" --to-atlas identity --csv a.csv

# Broken sets
mkdir none some
expect_fail 1 "'none' is not a run directory" aladdin evaluate none
expect_fail 1 'there is no such file' aladdin evaluate --labels 'none/{id}.nii.gz' --to-atlas identity
first=$(ls knees/labels | head -1)
cp "knees/labels/$first" some
expect_fail 1 'an evaluation needs two or more' aladdin evaluate --labels 'some/{id}.nii.gz' --to-atlas identity
expect_fail 1 '4 files are not there' aladdin evaluate --labels "$labels" --to-atlas 'none/{id}.nii.gz'
make_image zeros some/empty.nii
make_image image some/image.nii
expect_fail 1 'is an image with one value a voxel' \
  aladdin evaluate --labels "$labels" --to-atlas some/image.nii
make_image labels some/small1.nii
make_image labels some/small2.nii
expect_ok aladdin evaluate --labels 'some/small{id}.nii' --to-atlas identity
make_image image-2d some/small3.nii
expect_fail 1 "subject '3'" aladdin evaluate --labels 'some/small{id}.nii' --to-atlas identity
