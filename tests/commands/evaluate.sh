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
expect_fail 1 'matches no file' aladdin evaluate --labels 'none/{id}.nii.gz' --to-atlas identity
first=$(ls knees/labels | head -1)
cp "knees/labels/$first" some
expect_fail 1 'an evaluation needs at least two' aladdin evaluate --labels 'some/{id}.nii.gz' --to-atlas identity
expect_fail 1 '4 files are not there' aladdin evaluate --labels "$labels" --to-atlas 'none/{id}.nii.gz'
make_image zeros some/empty.nii
make_image image some/image.nii
expect_fail 1 'is an image with one value per voxel' \
  aladdin evaluate --labels "$labels" --to-atlas some/image.nii
make_image labels some/small1.nii
make_image labels some/small2.nii
expect_ok aladdin evaluate --labels 'some/small{id}.nii' --to-atlas identity
make_image image-2d some/small3.nii
expect_fail 1 "subject '3'" aladdin evaluate --labels 'some/small{id}.nii' --to-atlas identity

# Broken sets: fields that are missing, damaged, not a field, of another dimension, on a grid that is nowhere near
mkdir broken
cp knees/transforms/*_from-native_to-atlas_mode-image_xfm.nii.gz broken
there='broken/{id}_from-native_to-atlas_mode-image_xfm.nii.gz'
fields=(broken/*)
mv "${fields[1]}" away
expect_fail 1 '1 file is not there' aladdin evaluate --labels "$labels" --to-atlas "$there" --csv broken.csv
head -c 20000 away >"${fields[1]}"
expect_fail 1 'truncated' aladdin evaluate --labels "$labels" --to-atlas "$there" --csv broken.csv
cp knees/labels/"$first" "${fields[1]}"
expect_fail 1 'one value per voxel' aladdin evaluate --labels "$labels" --to-atlas "$there" --csv broken.csv
mv away "${fields[1]}"
# Labels that some subjects lack, and a subject without any: nothing is NaN
mkdir lacking
for id in 1 2 3; do make_image labels lacking/$id.nii; done
make_image zeros lacking/3.nii
expect_ok aladdin evaluate --labels 'lacking/{id}.nii' --to-atlas identity --json --csv lacking.csv
! grep -qi 'nan' "$folder/talk/out" lacking.csv || complain 'NaN of a subject without structures' evaluate

# Without labels: registration alone, said so
expect_out 'without labels: registration quality only' \
  aladdin evaluate --images 'knees/images/{id}.nii.gz' --to-atlas "$to_atlas" --atlas knees/atlas/image.nii.gz
grep -q 'NCC' "$folder/talk/out" || complain 'no similarity without labels' evaluate
sed 's/,labels\/[^,]*//; s/,label//' knees/cohort.csv >knees/bare.csv
expect_out '"labels": []' aladdin evaluate --cohort knees/bare.csv --to-atlas "$to_atlas" --json --csv bare.csv
! grep -q '"bridge"' "$folder/talk/out" || complain 'Dice without labels' evaluate
[[ $(wc -l <bare.csv) == 5 ]] || complain 'not a line for each subject without labels' evaluate

# Shares together are the whole
expect_ok aladdin evaluate --labels "$labels" --to-atlas "$to_atlas" --exact --csv whole.csv
cp "$folder/talk/out" whole.txt
for share in 1 2 3; do
  expect_ok aladdin evaluate --labels "$labels" --to-atlas "$to_atlas" --exact --shard $share/3 --part part$share.json
done
expect_ok aladdin evaluate --merge part*.json --csv merged.csv
cmp "$folder/talk/out" whole.txt || complain 'merged shares print another table' evaluate
cmp merged.csv whole.csv || complain 'merged shares have other figures' evaluate
expect_fail 1 'the part 2/3' aladdin evaluate --merge part1.json part3.json
expect_fail 1 'is given twice' aladdin evaluate --merge part1.json part1.json part2.json part3.json
echo '{}' >none.json
expect_fail 1 'is not a part of an evaluation' aladdin evaluate --merge none.json
expect_fail 2 '--shard needs --part' aladdin evaluate --labels "$labels" --to-atlas identity --shard 1/3
expect_fail 2 'is not a share' aladdin evaluate --labels "$labels" --to-atlas identity --shard 4/3 --part x.json
expect_fail 2 'has only 4 subjects' aladdin evaluate --labels "$labels" --to-atlas identity --shard 1/9 --part x.json
expect_fail 1 'exists already' aladdin evaluate --labels "$labels" --to-atlas identity --shard 1/3 --part part1.json
