make_image image a.nii
make_image image-2d flat.nii
make_image labels labels.nii
make_image field field.nii
cat >shift.tfm <<'TFM'
#Insight Transform File V1.0
#Transform 0
Transform: AffineTransform_double_3_3
Parameters: 1 0 0 0 1 0 0 0 1 1 0 0
FixedParameters: 0 0 0
TFM

expect_ok aladdin warp a.nii --transform shift.tfm --like a.nii -o moved.nii.gz
expect_ok aladdin warp a.nii --transform field.nii --transform shift.tfm,inverse --like a.nii -o b.nrrd
expect_ok aladdin warp labels.nii --transform shift.tfm --like a.nii -o labels-moved.nii.gz
expect_ok aladdin warp a.nii --transform shift.tfm --like a.nii -o moved.nii.gz --force

# warp IMAGE …: everything else sound
warp() { aladdin warp "$1" --transform shift.tfm --like a.nii -o out.nii.gz "${@:2}"; }

# Wrong use
expect_fail 2 'IMAGE' aladdin warp
expect_fail 2 '-o' aladdin warp a.nii --transform shift.tfm --like a.nii
expect_fail 2 "did you mean '--transform'?" aladdin warp a.nii --tranform shift.tfm --like a.nii -o out.nii
expect_fail 2 "'cubic' is not a value of --interp" warp a.nii --interp cubic
expect_fail 2 "did you mean 'linear'?" warp a.nii --interp liner
expect_fail 2 "'two' is not a value of --threads" warp a.nii --threads two
expect_fail 2 '--threads -1' warp a.nii --threads -1
expect_fail 2 '--threads is given 2 times' warp a.nii --threads 1 --threads 2
expect_fail 2 '--threads needs a value' warp a.nii --threads
expect_fail 2 "out.xyz" aladdin warp a.nii --transform shift.tfm --like a.nii -o out.xyz
expect_fail 2 'inverse' aladdin warp a.nii --transform shift.tfm,invers --like a.nii -o out.nii.gz

# The image
expect_fail 1 "no such file: 'missing.nii'" warp missing.nii
for kind in nan inf rgb complex image-4d truncated header-only huge zero-size singular nan-origin; do
  make_image $kind $kind.nii
  expect_fail 1 "$kind.nii" warp $kind.nii
done
gzip -kn a.nii
head -c 120 a.nii.gz >cut.nii.gz
expect_fail 1 'cut.nii.gz' warp cut.nii.gz
{ head -c 100 a.nii.gz; printf 'damaged!'; tail -c +109 a.nii.gz; } >damaged.nii.gz
expect_fail 1 'damaged.nii.gz' warp damaged.nii.gz
make_image fractions fractions.nii
expect_fail 1 "'fractions.nii' is not a label map" warp fractions.nii --interp label
expect_fail 1 'flat.nii' warp flat.nii

# The grid and the output
expect_fail 1 "no such file: 'missing.nii'" \
  aladdin warp a.nii --transform shift.tfm --like missing.nii -o out.nii.gz
expect_fail 1 "'moved.nii.gz' exists already" \
  aladdin warp a.nii --transform shift.tfm --like a.nii -o moved.nii.gz
expect_fail 1 "cannot make the folder 'a.nii'" \
  aladdin warp a.nii --transform shift.tfm --like a.nii -o a.nii/out.nii.gz

# The points
echo 'x,y,z' >points.csv
echo '1,2' >>points.csv
expect_fail 1 'points.csv' aladdin warp --points points.csv --transform shift.tfm -o out.csv
printf 'x,y,z\n1,2,far\n' >words.csv
expect_fail 1 'words.csv' aladdin warp --points words.csv --transform shift.tfm -o out.csv
expect_fail 2 '--points' aladdin warp a.nii --points points.csv --transform shift.tfm -o out.csv

# The transform
through() { aladdin warp a.nii --transform "$1" --like a.nii -o out.nii.gz; }
expect_fail 1 "missing.tfm" through missing.tfm
echo 'not a transform' >text.tfm
expect_fail 1 'text.tfm' through text.tfm
head -3 shift.tfm >cut.tfm
expect_fail 1 'cut.tfm' through cut.tfm
: >empty.h5
expect_fail 1 'empty.h5' through empty.h5
expect_fail 1 'a.nii' through a.nii
make_image field-nan field-nan.nii
expect_fail 1 'field-nan.nii' through field-nan.nii
sed 's/^Parameters:.*/Parameters: 1 0 0 0 1 0 0 0 0 1 0 0/' shift.tfm >flatten.tfm
expect_fail 1 'flatten.tfm' through flatten.tfm,inverse
sed 's/AffineTransform_double_3_3/NoSuchTransform_double_3_3/' shift.tfm >unknown.tfm
expect_fail 1 'unknown.tfm' through unknown.tfm
