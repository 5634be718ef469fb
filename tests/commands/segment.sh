make_image image a.nii  # 6 x 5 x 4, 0 … 119, x fastest
make_image labels labels.nii
mkdir run bare
make_model a.nii run/model.safetensors
cp run/model.safetensors bare

# What a run must have
expect_fail 1 "'run' is not a run directory" aladdin segment run a.nii -o out
printf '{"format": "aladdin run", "version": 1, "state": "done", "subjects": []}\n' >bare/run.json
expect_fail 1 "the atlas of 'bare' has no labels" aladdin segment bare a.nii -o out
printf '{"format": "aladdin run", "version": 1, "state": "done", "results": {"labels": [0, 5]}, "subjects": []}\n' >run/run.json
expect_fail 1 'atlas_probabilities.nii.gz' aladdin segment run a.nii -o out
expect_fail 1 "'run' has no subjects" aladdin segment run a.nii -o out --bridge

# One training subject whose image is the atlas, registered by a network that says nothing: its labels come back
gzip -c a.nii >run/atlas.nii.gz
expect_ok aladdin register run a.nii -o run --warped
printf '{"format": "aladdin run", "version": 1, "state": "done", "results": {"labels": [0, 1, 3]},
  "subjects": [{"id": "a", "split": "train", "image": "a.nii", "label": "labels.nii"}]}\n' >run/run.json
expect_out 'a,118.000,1.000' aladdin segment run a.nii -o bridged --bridge --probabilities
[[ $(cat bridged/volumes.csv) == $'image,volume_1,volume_3\na,118.000,1.000' ]] || complain 'other volumes in the file' segment
# and so they do from the atlas's probabilities
cp bridged/probabilities/a.nii.gz run/atlas_probabilities.nii.gz
expect_out 'a,118.000,1.000' aladdin segment run a.nii -o carried
cmp bridged/labels/a.nii.gz carried/labels/a.nii.gz || complain 'the atlas and its only subject differ' segment
expect_ok aladdin segment run a.nii -o silent -q
[[ ! -s $folder/talk/out && ! -s $folder/talk/err && -s silent/volumes.csv ]] || complain '-q speaks' segment
[[ ! -e carried/probabilities ]] || complain 'probabilities that nobody asked for' segment
expect_fail 1 'exists already' aladdin segment run a.nii -o carried
expect_ok aladdin segment run a.nii -o carried --force
# a mask of its cohort counts
printf 'id,image,mask\na,a.nii,flat.nii\n' >masked.csv
make_image image-2d flat.nii
expect_fail 1 "the mask of 'a.nii' is 6 x 5" aladdin segment run masked.csv -o masked
gzip -c a.nii >run/atlas_probabilities.nii.gz
expect_fail 1 'is not a 4-D NIfTI' aladdin segment run a.nii -o out

# Wrong use
expect_fail 2 'IMAGE' aladdin segment run -o out
expect_fail 2 '--output' aladdin segment run a.nii
mkdir sub
cp a.nii sub/a.nii
expect_fail 2 "two images are called 'a'" aladdin segment run a.nii sub/a.nii -o out
expect_fail 1 "no such file: 'missing.nii'" aladdin segment run missing.nii -o out

# Results stay in their folder
for name in labels probabilities; do
  mkdir linked elsewhere
  ln -s ../elsewhere "linked/$name"
  expect_fail 1 'is a symbolic link' aladdin segment run a.nii -o linked
  rm -r linked elsewhere
done

# A record that no build wrote
for labels in '"many"' '[0, "one"]' '{"0": [1]}'; do
  printf '{"format": "aladdin run", "version": 1, "state": "done", "results": {"labels": %s}, "subjects": []}\n' \
    "$labels" >run/run.json
  expect_fail 1 "was not written by 'aladdin build': results.labels" aladdin segment run a.nii -o out
done
