# aladdin register --to: two images and no atlas.
aladdin synth --subjects 3 --size 28,34,34 --spacing 4,4,4 --threads 1 -q -o knees
fixed=$(ls knees/images/* | sed -n 1p) moving=$(ls knees/images/* | sed -n 2p) third=$(ls knees/images/* | sed -n 3p)
labels=$(ls knees/labels/* | sed -n 1p)
name=$(basename "$moving" .nii.gz)
to_fixed=out/transforms/${name}_from-moving_to-fixed_mode-image_xfm
to_moving=out/transforms/${name}_from-fixed_to-moving_mode-image_xfm
affine=out/transforms/${name}_from-moving_to-fixed_mode-image_affine.tfm

# Both fields, the affine part, the warped image and, where they are named, the labels; nothing else
expect_out 'folds 0 and 0' aladdin register --to "$fixed" "$moving" -o out --to-labels "$labels"
for file in "$to_fixed.nii.gz" "$to_moving.nii.gz" "$affine" "out/warped/$name.nii.gz" "out/labels/$name.nii.gz"; do
  [[ -f $file ]] || complain "no $file" register_to
done
[[ $(find out -type f | wc -l) == 5 ]] || complain 'other files than the five' register_to
# The files do what was written
expect_ok aladdin warp "$moving" -t "$to_fixed.nii.gz" --like "$fixed" -o by_warp.nii.gz
cmp by_warp.nii.gz "out/warped/$name.nii.gz" || complain 'warp and register differ' register_to
expect_ok aladdin warp "$labels" -t "$to_moving.nii.gz" --like "$moving" -o labels.nii.gz
cmp labels.nii.gz "out/labels/$name.nii.gz" || complain 'warp and register carry labels differently' register_to

# Matrices: both ways, inverse to each other, ITK's files
for kind in rigid similarity affine; do
  expect_out "$kind  NCC" aladdin register --to "$fixed" "$moving" -o $kind --kind $kind
  both=$kind/transforms/${name}
  [[ $(find $kind -type f | wc -l) == 3 ]] || complain "other files than the three" register_to
  grep -q AffineTransform_double_3_3 "${both}_from-moving_to-fixed_mode-image_xfm.tfm" || complain 'no affine of ITK' register_to
  printf 'x,y,z\n3,-20,11\n' >point.csv
  expect_out '3.000000,-20.000000,11.000000' aladdin warp --points point.csv \
    -t "${both}_from-moving_to-fixed_mode-image_xfm.tfm" -t "${both}_from-fixed_to-moving_mode-image_xfm.tfm"
done
expect_out 'determinant 1.0000' aladdin register --to "$fixed" "$moving" -o det --kind rigid

# An image to itself moves nowhere; the order of several does not matter, nor do threads or shares
expect_out 'NCC 1.0000 -> 1.0000' aladdin register --to "$fixed" "$fixed" -o self --kind rigid
expect_ok aladdin register --to "$fixed" "$moving" "$third" -o two --threads 2
expect_ok aladdin register --to "$fixed" "$third" -o one --threads 1
expect_ok aladdin register --to "$fixed" "$moving" -o one --threads 1
diff -r two one || complain 'threads or company change the results' register_to
expect_ok aladdin register --to "$fixed" "$moving" "$third" -o shares --shard 1/2
expect_ok aladdin register --to "$fixed" "$moving" "$third" -o shares --shard 2/2
diff -r two shares || complain 'shares write other files than the whole' register_to

# One subject, twice: rigid, unless told otherwise
cp "$fixed" sub-01_ses-1_T1w.nii.gz && cp "$moving" sub-01_ses-2_T1w.nii.gz && cp "$third" sub-02_T1w.nii.gz
expect_out 'rigid  NCC' aladdin register --to sub-01_ses-1_T1w.nii.gz sub-01_ses-2_T1w.nii.gz -o subject
expect_out 'affine  NCC' aladdin register --to sub-01_ses-1_T1w.nii.gz sub-01_ses-2_T1w.nii.gz -o subject2 --kind affine
expect_out 'diffeomorphic  NCC' aladdin register --to sub-01_ses-1_T1w.nii.gz sub-02_T1w.nii.gz -o subject3

# Masks of both; a coarser deformation; another contrast
aladdin warp "$labels" -t identity --like "$fixed" -o mask.nii.gz -q
mkdir masks && cp "$(ls knees/labels/* | sed -n 2p)" "masks/$name.nii.gz"
expect_ok aladdin register --to "$fixed" "$moving" -o masked --to-mask mask.nii.gz --masks masks
cmp -s masked/warped/$name.nii.gz out/warped/$name.nii.gz && complain 'masks change nothing' register_to
expect_ok aladdin register --to "$fixed" "$moving" -o coarse --spacing 7
expect_ok aladdin register --to "$fixed" "$moving" -o contrast --kind rigid --similarity mi

# 2-D
aladdin synth --subjects 2 --slice --size 28,64,64 --spacing 4,2.2,2.2 --threads 1 -q -o flat
expect_out 'folds 0 and 0' aladdin register --to "$(ls flat/images/* | sed -n 1p)" "$(ls flat/images/* | sed -n 2p)" -o flat_out
expect_out '"rotation_deg": ' aladdin register --to "$(ls flat/images/* | sed -n 1p)" "$(ls flat/images/* | sed -n 2p)" -o flat_out2 --kind rigid --json

# Wrong use
expect_fail 2 'register needs IMAGE' aladdin register "$moving" -o x
expect_fail 2 '--kind is for images that are registered to an image' aladdin register run "$moving" -o x --kind rigid
expect_fail 2 "'rigit' is not a value of --kind" aladdin register --to "$fixed" "$moving" -o x --kind rigit
expect_fail 2 '--refine is for the network' aladdin register --to "$fixed" "$moving" -o x --refine 3
expect_fail 2 'name them with --to-labels' aladdin register --to "$fixed" "$moving" -o x --labels
expect_fail 2 "two images are called '$name'" aladdin register --to "$fixed" "$moving" "$moving" -o x
# Files that will not do
expect_fail 1 "no such file: 'missing.nii'" aladdin register --to missing.nii "$moving" -o x
expect_fail 1 "no such file: 'missing.nii'" aladdin register --to "$fixed" missing.nii -o x
expect_fail 1 'exists already' aladdin register --to "$fixed" "$moving" -o out
make_image image a.nii
make_image image-2d b.nii
make_image constant constant.nii
expect_fail 1 "is 3-D" aladdin register --to "$fixed" b.nii -o x
expect_fail 1 "'constant.nii' is constant" aladdin register --to "$fixed" constant.nii -o x
expect_fail 1 "'constant.nii' is constant" aladdin register --to constant.nii "$moving" -o x
expect_fail 1 'the mask of' aladdin register --to "$fixed" "$moving" -o x --to-mask a.nii
expect_fail 1 "'a.nii' is 6 x 5 x 4" aladdin register --to "$fixed" "$moving" -o x --to-labels a.nii
[[ ! -e x ]] || complain 'a failure leaves files' register_to
