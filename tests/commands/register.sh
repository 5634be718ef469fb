make_image image a.nii  # 6 x 5 x 4, 0 … 119, x fastest
make_image image b.nii
make_image image-2d flat.nii
make_image constant constant.nii
make_image nan nan.nii
make_image labels labels.nii
mkdir run bare other
make_model a.nii run/model.safetensors
make_model a.nii bare/model.safetensors
gzip -c labels.nii >run/atlas_labels.nii.gz
to_atlas=_from-native_to-atlas_mode-image_xfm.nii.gz
to_native=_from-atlas_to-native_mode-image_xfm.nii.gz

# A network that says nothing: the identity, all files there, nothing else
expect_out 'folds 0 and 0' aladdin register run a.nii -o out
for file in "transforms/a$to_atlas" "transforms/a$to_native" warped/a.nii.gz labels/a.nii.gz; do
  [[ -f out/$file ]] || complain "no $file" register
done
[[ $(find out -type f | wc -l) == 4 ]] || complain 'other files than the four' register
gunzip -c out/warped/a.nii.gz >warped.nii
expect_ok aladdin warp a.nii --transform identity --like a.nii -o same.nii
cmp warped.nii same.nii || complain 'the identity changes an image' register
expect_out 'label map' aladdin info out/labels/a.nii.gz

# The model file alone; no labels there; JSON
expect_out '"ncc_after": ' aladdin register bare/model.safetensors a.nii -o alone --json
[[ ! -e alone/labels && -e alone/warped ]] || complain 'labels from nowhere, or no warped image' register
expect_ok aladdin register run a.nii -o only --labels
[[ ! -e only/warped && -e only/labels/a.nii.gz ]] || complain '--labels writes something else' register
expect_ok aladdin register run a.nii -o only2 --warped
[[ -e only2/warped/a.nii.gz && ! -e only2/labels ]] || complain '--warped writes something else' register

# A network that says one voxel: the transform does what 'aladdin warp' makes of it, either way
for scale in 1 2; do
  make_model a.nii other/model.safetensors 2 2 "$scale" 0.5 2 1
  expect_ok aladdin register other a.nii -o "moved$scale" --refine 0
  expect_ok aladdin warp a.nii -t "moved$scale/transforms/a$to_atlas" -o by_warp.nii.gz --force
  cmp by_warp.nii.gz "moved$scale/warped/a.nii.gz" || complain 'warp and register differ' register
done
printf 'x,y,z\n-2,-2,2\n' >point.csv
# 0.5 voxels twice, the first doubled: 1.5 mm; x and y of this grid run against the world's
expect_out '-3.500000,-3.500000,3.500000' \
  aladdin warp --points point.csv --transform "moved1/transforms/a$to_atlas"
expect_out '-0.500000,-0.500000,0.500000' \
  aladdin warp --points point.csv --transform "moved1/transforms/a$to_native"

# Several images; one that fails does not stop the others
expect_ok aladdin register run a.nii b.nii -o two
[[ -e two/warped/a.nii.gz && -e two/warped/b.nii.gz ]] || complain 'not both' register
head -c 300 a.nii >cut.nii
run_case aladdin register run a.nii constant.nii cut.nii missing.nii b.nii -o three
(( status == 1 )) || complain "exit code $status, expected 1" register
grep -q '3 of 5 images could not be registered: constant.nii, cut.nii, missing.nii' "$folder/talk/err" || complain 'who?' register
[[ -e three/warped/b.nii.gz ]] || complain 'the last image was left out' register

# 2-D
mkdir flat_run
make_model flat.nii flat_run/model.safetensors 2 2 2 0.25 2 1
expect_ok aladdin register flat_run flat.nii -o flat_out
expect_out '6 x 5,' aladdin info flat_out/warped/flat.nii.gz

# Wrong use
expect_fail 2 'IMAGE' aladdin register run -o x
expect_fail 2 '--output' aladdin register run a.nii
mkdir sub
cp a.nii sub/a.nii
expect_fail 2 "two images are called 'a'" aladdin register run a.nii sub/a.nii -o x

# Files that will not do
expect_fail 1 'exists already' aladdin register run a.nii -o out
expect_ok aladdin register run a.nii -o out --force
expect_fail 1 "no such file: 'missing'" aladdin register missing a.nii -o x
expect_fail 1 "'sub' has no model.safetensors" aladdin register sub a.nii -o x
expect_fail 1 "'a.nii' is damaged or not a safetensors file" aladdin register a.nii a.nii -o x
expect_fail 1 "no such file: 'missing.nii'" aladdin register run missing.nii -o x
expect_fail 1 "'flat.nii' is 2-D, but the atlas is 3-D" aladdin register run flat.nii -o x
expect_fail 1 "'constant.nii' is constant" aladdin register run constant.nii -o x
expect_fail 1 "'nan.nii'" aladdin register run nan.nii -o x
expect_fail 1 'the atlas has no labels' aladdin register bare a.nii -o x --labels
: >file
expect_fail 1 "'file" aladdin register run a.nii -o file
head -c 3000 run/model.safetensors >sub/model.safetensors
expect_fail 1 'is damaged or not a safetensors file' aladdin register sub a.nii -o x
# (under another name, as in files of others, the checksum of the header is not looked at)
sed 's/"version":"1"/"version":"9"/; s/"header_checksum"/"Header_checksum"/' run/model.safetensors >sub/model.safetensors
expect_fail 1 'is a model of version 9, this program reads versions 1 to 2' aladdin register sub a.nii -o x
cp run/model.safetensors sub
gzip -c flat.nii >sub/atlas_labels.nii.gz
expect_fail 1 'but the atlas is 6 x 5 x 4' aladdin register sub a.nii -o x

# Shares of one list: together they are what one process writes
for name in c d e; do cp a.nii $name.nii; done
expect_ok aladdin register run a.nii b.nii c.nii d.nii e.nii -o whole
for share in 1 2 3; do
  expect_ok aladdin register run a.nii b.nii c.nii d.nii e.nii -o shares --shard $share/3
done
diff -r whole shares || complain 'shares write other files than the whole' register
expect_ok aladdin register run a.nii -o none --shard 2/2
[[ ! -e none ]] || complain 'an empty share writes something' register
expect_fail 2 'is not a share' aladdin register run a.nii -o x --shard 0/2
# Side by side: the same files, and told in the same order, for any number of threads
expect_ok aladdin register run a.nii b.nii c.nii d.nii e.nii -o one --threads 1
expect_ok aladdin register run a.nii b.nii c.nii d.nii e.nii -o four --threads 4
[[ $(cut -c1 "$folder/talk/out" | tr -d '\n') == abcde ]] || complain 'not in their order' register
diff -r one four || complain 'threads change the results' register
# Names are looked at in all shares
mkdir -p same && cp a.nii same/a.nii
expect_fail 2 "two images are called 'a'" aladdin register run a.nii same/a.nii -o x --shard 1/2

# Results stay in their folder
mkdir linked elsewhere
ln -s ../elsewhere linked/transforms
expect_fail 1 'is a symbolic link' aladdin register run a.nii -o linked
cp a.nii .nii
expect_fail 2 'cannot be named after it' aladdin register run .nii -o x
# A link in the place of a result is replaced, what it leads to stays
mkdir -p replaced/warped
printf 'theirs' >theirs.nii.gz
ln -s ../../theirs.nii.gz replaced/warped/a.nii.gz
expect_fail 1 'exists already' aladdin register run a.nii -o replaced
expect_ok aladdin register run a.nii -o replaced --force
[[ $(cat theirs.nii.gz) == theirs && ! -L replaced/warped/a.nii.gz ]] || complain 'a link was followed' register

# A table, a folder, a pattern and a BIDS tree in the place of images; the id names the results
mkdir -p scans bids/sub-01/anat bids/sub-02/anat
cp a.nii scans/one.nii && cp a.nii scans/two.nii
cp a.nii bids/sub-01/anat/sub-01_T1w.nii && cp a.nii bids/sub-02/anat/sub-02_T2w.nii
printf 'id,image,split\nfirst,scans/one.nii,train\nsecond,scans/two.nii,test\n' >people.csv
names() { ls "$1/warped" | tr '\n' ' '; }
expect_ok aladdin register run people.csv -o from_table
expect_ok aladdin register run scans -o from_folder
expect_ok aladdin register run 'scans/*.nii' a.nii -o from_pattern
expect_ok aladdin register run bids -o from_bids
expect_ok aladdin register run bids -o from_bids2 --suffix T2w
[[ "$(names from_table)$(names from_folder)$(names from_pattern)$(names from_bids)$(names from_bids2)" == \
  'first.nii.gz second.nii.gz one.nii.gz two.nii.gz a.nii.gz one.nii.gz two.nii.gz sub-01.nii.gz sub-02.nii.gz ' ]] ||
  complain 'other names' register
cmp from_table/warped/first.nii.gz from_folder/warped/one.nii.gz || complain 'another result' register
expect_fail 1 "no such cohort: 'nobody.csv'" aladdin register run nobody.csv -o x
mkdir empty
expect_fail 1 "the folder 'empty' holds no images" aladdin register run empty -o x
expect_fail 2 "two images are called 'one'" aladdin register run scans scans/one.nii -o x

# With -q nothing but warnings and errors, and what was asked for as JSON
expect_ok aladdin register run a.nii -o silent -q
[[ ! -s $folder/talk/out && ! -s $folder/talk/err ]] || complain '-q speaks' register
expect_out '"ncc_after"' aladdin register run a.nii -o silent2 -q --json

# What must be assumed of many images is one line
for n in 1 2 3 4; do make_image coronal scans/c$n.nii; done
expect_ok aladdin register flat_run scans/c?.nii -o coronal
[[ $(grep -c '^warning:' "$folder/talk/err") == 1 ]] || complain 'expected one warning' register
grep -q "'scans/c1.nii' and 3 others: it is a slice across" "$folder/talk/err" || complain 'which?' register

# Masks, of a table or of --masks: what is not in them counts for nothing, and the middle is theirs
mkdir masks && make_image half-mask masks/a.nii
printf 'id,image,mask\na,a.nii,masks/a.nii\n' >masked.csv
for how in 'masked.csv -o masked' 'a.nii --masks masks -o masked2' 'a.nii --masks masks/*.nii -o masked3'; do
  set -f && expect_ok aladdin register run $how && set +f
done
diff -r masked masked2 && diff -r masked masked3 || complain 'a mask is not a mask' register
cmp -s "masked/transforms/a$to_atlas" "out/transforms/a$to_atlas" && complain 'the mask was ignored' register
expect_fail 1 'b: no file of that name' aladdin register run a.nii b.nii --masks masks -o x
expect_fail 1 'already names a file' aladdin register run masked.csv --masks masks -o x
expect_fail 2 'neither a folder nor a pattern' aladdin register run a.nii --masks masks/a.nii -o x
make_image image-2d masks/a.nii
expect_fail 1 "the mask of 'a.nii' is 6 x 5" aladdin register run masked.csv -o x
