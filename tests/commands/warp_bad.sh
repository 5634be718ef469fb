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
expect_fail 2 'expected either an IMAGE or --points FILE' aladdin warp
expect_fail 2 '-o OUT is missing' aladdin warp a.nii --transform shift.tfm --like a.nii
expect_fail 2 "did you mean '--transform'?" aladdin warp a.nii --tranform shift.tfm --like a.nii -o out.nii
expect_fail 2 "'cubic' is not a value of --interp" warp a.nii --interp cubic
expect_fail 2 "did you mean 'linear'?" warp a.nii --interp liner
expect_fail 2 "'two' is not a value of --threads" warp a.nii --threads two
expect_fail 2 '--threads -1 is not 0 (all cores) or more' warp a.nii --threads -1
expect_fail 2 '--threads is given 2 times' warp a.nii --threads 1 --threads 2
expect_fail 2 '--threads needs a value' warp a.nii --threads
expect_fail 2 "'out.xyz' does not end in an image format" aladdin warp a.nii --transform shift.tfm --like a.nii -o out.xyz
expect_fail 2 "',invers' is not known; did you mean ',inverse'?" aladdin warp a.nii --transform shift.tfm,invers --like a.nii -o out.nii.gz
expect_fail 2 'there is no file before the comma' aladdin warp a.nii --transform ,inverse --like a.nii -o out.nii.gz

# The image
expect_fail 1 "no such file: 'missing.nii'" warp missing.nii
bad() { make_image "$1" "$1.nii" && expect_fail 1 "'$1.nii' $2" warp "$1.nii"; }
bad nan 'has 1 values that are NaN or infinite'
bad inf 'has 1 values that are NaN or infinite'
bad rgb 'is a colour image'
bad complex 'has complex values'
bad image-4d 'is 4-D'
bad truncated 'is truncated'
bad header-only 'is truncated or its header is wrong'
bad huge 'is truncated or its header is wrong'
bad zero-size 'has no voxels along axis 1'
bad singular 'has an unusable geometry: its sform is singular'
bad nan-origin 'has an unusable geometry: its origin or axes are not finite'
gzip -kn a.nii
head -c 120 a.nii.gz >cut.nii.gz
expect_fail 1 "'cut.nii.gz' is truncated: its gzip stream ends too early" warp cut.nii.gz
{ head -c 100 a.nii.gz; printf 'damaged!'; tail -c +109 a.nii.gz; } >damaged.nii.gz
expect_fail 1 "'damaged.nii.gz' is damaged: its gzip stream is broken" warp damaged.nii.gz
make_image fractions fractions.nii
expect_fail 1 "'fractions.nii' is not a label map" warp fractions.nii --interp label
expect_fail 1 "'flat.nii' is 2-D, but the transform is 3-D" warp flat.nii

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
expect_fail 1 "'points.csv', row 2 has 2 fields, expected 3" aladdin warp --points points.csv --transform shift.tfm -o out.csv
printf 'x,y,z\n1,2,far\n' >words.csv
expect_fail 1 "'words.csv', row 2: 'far' is not a number" aladdin warp --points words.csv --transform shift.tfm -o out.csv
expect_fail 2 'expected either an IMAGE or --points FILE' aladdin warp a.nii --points points.csv --transform shift.tfm -o out.csv

# The transform
through() { aladdin warp a.nii --transform "$1" --like a.nii -o out.nii.gz; }
expect_fail 1 "no such file: 'missing.tfm'" through missing.tfm
echo 'not a transform' >text.tfm
expect_fail 1 "'text.tfm': it does not start with '#Insight Transform File'" through text.tfm
head -3 shift.tfm >cut.tfm
expect_fail 1 "the transform 'cut.tfm' ends before its parameters" through cut.tfm
: >empty.h5
expect_fail 1 "cannot read the transform 'empty.h5': it is not an HDF5 file" through empty.h5
expect_fail 1 "'a.nii' is an image with one value per voxel, expected a transform" through a.nii
make_image field-nan field-nan.nii
expect_fail 1 "'field-nan.nii' has 1 values that are NaN or infinite" through field-nan.nii
sed 's/^Parameters:.*/Parameters: 1 0 0 0 1 0 0 0 0 1 0 0/' shift.tfm >flatten.tfm
expect_fail 1 "'flatten.tfm' has no inverse: a matrix is singular" through flatten.tfm,inverse
sed 's/AffineTransform_double_3_3/NoSuchTransform_double_3_3/' shift.tfm >unknown.tfm
expect_fail 1 "'unknown.tfm' holds a NoSuchTransform, which is not supported" through unknown.tfm
sed 's/^Parameters:.*/Parameters: 1 0 0 0 1 0 0 0 1/' shift.tfm >few.tfm
expect_fail 1 "the AffineTransform in 'few.tfm' has 9 numbers and 3 fixed, expected 12 and 3" through few.tfm
sed '/^Fixed/d' shift.tfm >loose.tfm
expect_fail 1 "the transform 'loose.tfm' ends before its fixed parameters" through loose.tfm
for pipe in pipe.tfm pipe.mat pipe.h5 pipe.nii; do
  mkfifo $pipe
  expect_fail 1 "'$pipe' is not a file" through $pipe
done
seq 1000 | gzip -n >random.mat  # bytes whose first are no sizes
expect_fail 1 "cannot read the transform 'random.mat': it is not a Matlab 4 file" through random.mat
# HDF5 prints much of a damaged file (lib.sh refuses that)
{ printf '\x89HDF\r\n\x1a\n'; seq 300; } >damaged.h5
expect_fail 1 "cannot read the transform 'damaged.h5'" through damaged.h5

# A transform in the place of an image
expect_fail 1 "'shift.tfm' is a transform file, expected an image" warp shift.tfm
expect_fail 1 "'shift.tfm' is a transform file, expected an image" \
  aladdin warp a.nii --transform shift.tfm --like shift.tfm -o out.nii.gz
mkdir folder.nii.gz
for force in '' --force; do
  expect_fail 1 "'folder.nii.gz' is a folder, expected the name of a file" \
    aladdin warp a.nii --transform shift.tfm --like a.nii -o folder.nii.gz $force
done
