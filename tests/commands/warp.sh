
# nrrd COMPONENTS TYPE VALUE: a volume (or field) of one value on the grid of a.nii, on standard output.
nrrd() {
  local sizes='6 5 4' directions='(-1,0,0) (0,-1,0) (0,0,1)' kinds='domain domain domain' dims=3
  (( $1 == 1 )) || { sizes="$1 $sizes" directions="none $directions" kinds="vector $kinds" dims=4; }
  printf 'NRRD0004\ntype: %s\ndimension: %d\nspace: left-posterior-superior\nsizes: %s\n' \
    "$2" "$dims" "$sizes"
  printf 'space directions: %s\nkinds: %s\nencoding: ascii\nspace origin: (0,0,0)\n\n' \
    "$directions" "$kinds"
  for (( v = 0; v < 120; v++ )); do echo "$3"; done
}
# affine MATRIX OFFSET: an ITK transform file on standard output.
affine() {
  printf '#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\n'
  printf 'Parameters: %s %s\nFixedParameters: 0 0 0\n' "$1" "$2"
}

make_image image a.nii  # 6 x 5 x 4, 0 … 119, x fastest
make_image image-2d flat.nii
nrrd 1 uint8 7 >seven.nrrd
nrrd 3 float '1 0 0' >shift.nrrd
affine '1 0 0 0 1 0 0 0 1' '1 0 0' >shift.tfm
affine '2 0 0 0 2 0 0 0 2' '0 0 0' >double.tfm
affine '1 0 0 0 0 0 0 0 1' '0 0 0' >singular.tfm
printf 'name,x,y,z\nfirst,-3,-2,3\n"a, b",-2,-2,2\n' >points.csv

# Images
expect_ok aladdin warp a.nii --like a.nii -o same.nii
expect_out '0 to 119' aladdin info same.nii
expect_ok aladdin warp a.nii --transform identity --like a.nii -o same2.nii
cmp same.nii same2.nii || complain 'identity changes an image' warp
expect_ok aladdin warp a.nii --transform shift.nrrd -o own_grid.nii
expect_out '6 x 5 x 4' aladdin info own_grid.nii
expect_ok aladdin warp a.nii --transform shift.nrrd --like a.nii -o by_field.nii
expect_ok aladdin warp a.nii --transform shift.tfm --like a.nii -o by_affine.nii
expect_out '0 to 118' aladdin info by_field.nii
cmp by_field.nii by_affine.nii || complain 'a field and an affine of one shift differ' warp
# A shift by a whole voxel moves values and changes none: +1 mm along L is one voxel back in x, which
# runs to the right, so each row of six loses its last voxel and gets a 0 in front.
# values FILE: the float32 voxels of a .nii, one a line.
values() { tail -c +353 "$1" | od -An -v -tf4 -w4 | tr -d ' '; }
awk 'BEGIN { for (v = 0; v < 120; v++) print v % 6 ? v - 1 : 0 }' >shifted.txt
for interp in linear nearest; do
  expect_ok aladdin warp a.nii --transform shift.nrrd --like a.nii -o "shifted_$interp.nii" \
    --interp "$interp"
  diff <(values "shifted_$interp.nii") shifted.txt || complain 'a whole-voxel shift is not exact' warp
done
for interp in linear nearest bspline; do
  expect_ok aladdin warp a.nii --transform shift.nrrd,inverse --like a.nii -o "$interp.nii" \
    --interp "$interp"
done
expect_ok aladdin warp seven.nrrd --transform shift.tfm --like a.nii -o labels.nrrd
expect_out 'label map' aladdin info labels.nrrd
expect_out '           7          100' aladdin info labels.nrrd
expect_ok aladdin warp seven.nrrd --transform shift.tfm --like a.nii -o grey.nrrd --interp linear
expect_out 'float32' aladdin info grey.nrrd
# Integers that are no labels, some beyond int32
nrrd 1 uint32 4000000000 >large.nrrd
expect_ok aladdin warp large.nrrd --transform shift.tfm --like a.nii -o large.nii --interp nearest
expect_out '0 to 4e+09' aladdin info large.nii
expect_ok aladdin warp seven.nrrd --like a.nii -o seven.nii --interp nearest
expect_out 'label map' aladdin info seven.nii
expect_ok aladdin warp a.nii --like a.nii -o same.nii --force

# Points: shift.tfm adds 1 along x; the last transform given is applied first
moves() { expect_out "$1" aladdin warp --points points.csv "${@:2}"; }
moves 'first,-2.000000,-2.000000,3.000000' --transform shift.tfm
moves '"a, b",-1.000000,-2.000000,2.000000' --transform shift.tfm
moves 'first,-4.000000,-2.000000,3.000000' --transform shift.tfm,inverse
moves 'first,-4.000000,-2.000000,3.000000' --transform shift.tfm --ras
moves 'first,-5.000000,-4.000000,6.000000' --transform shift.tfm --transform double.tfm
moves 'first,-4.000000,-4.000000,6.000000' --transform double.tfm --transform shift.tfm
moves 'first,-2.000000,-2.000000,3.000000' --transform shift.nrrd
moves 'first,-4.000000,-2.000000,3.000000' --transform shift.nrrd,inverse
moves 'first,-3.000000,-2.000000,3.000000' --transform identity
expect_ok aladdin warp --points points.csv --transform shift.tfm -o moved.csv
grep -q 'first,-2.000000' moved.csv || complain 'moved.csv is wrong' warp

# 2-D
printf '#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_2_2\n' >flat.tfm
printf 'Parameters: 1 0 0 1 -1 0\nFixedParameters: 0 0\n' >>flat.tfm
for interp in linear nearest bspline; do
  expect_ok aladdin warp flat.nii --transform flat.tfm --like flat.nii -o "flat_$interp.nii" --interp "$interp"
  expect_out '6 x 5,' aladdin info "flat_$interp.nii"
done
printf 'x,y,other\n0,5,7\n' >flat.csv
expect_out '-1.000000,5.000000,7' aladdin warp --points flat.csv --transform flat.tfm
expect_out 'determinant    1' aladdin info flat.tfm
expect_fail 1 "the transform 'shift.tfm' is 3-D, but 'flat.tfm' is 2-D" \
  aladdin warp flat.nii --transform shift.tfm --transform flat.tfm --like flat.nii -o x.nii

# Wrong use
expect_fail 2 'either an IMAGE or --points' aladdin warp -o x.nii
expect_fail 2 'either an IMAGE or --points' aladdin warp a.nii --points points.csv -o x.nii
expect_fail 2 '-o OUT is missing' aladdin warp a.nii --like a.nii
expect_fail 2 '--like is missing' aladdin warp a.nii --transform shift.tfm -o x.nii
expect_fail 2 "'linar' is not a value of --interp" aladdin warp a.nii --like a.nii -o x.nii --interp linar
expect_fail 2 "'x.jpg' does not end in an image format" aladdin warp a.nii --like a.nii -o x.jpg
expect_fail 2 '--like does not apply' aladdin warp --points points.csv --like a.nii -o x.csv
expect_fail 2 '--interp does not apply' aladdin warp --points points.csv --interp linear -o x.csv
expect_fail 2 '--ras is for --points' aladdin warp a.nii --like a.nii --ras -o x.nii
expect_fail 2 "did you mean ',inverse'?" aladdin warp a.nii --transform shift.tfm,inv --like a.nii -o x.nii

# Files that will not do
expect_fail 1 "'same.nii' exists already" aladdin warp a.nii --like a.nii -o same.nii
expect_fail 1 "'moved.csv' exists already" aladdin warp --points points.csv -o moved.csv
expect_fail 1 "no such file: 'missing.nii'" aladdin warp missing.nii --like a.nii -o x.nii
expect_fail 1 "no such file: 'missing.nii'" aladdin warp a.nii --like missing.nii -o x.nii
expect_fail 1 "no such file: 'missing.tfm'" aladdin warp a.nii --transform missing.tfm --like a.nii -o x.nii
expect_fail 1 "'a.nii' is an image with one value per voxel" aladdin warp a.nii --transform a.nii -o x.nii
expect_fail 1 "'singular.tfm' has no inverse" \
  aladdin warp a.nii --transform singular.tfm,inverse --like a.nii -o x.nii
expect_fail 1 "'flat.nii' is 2-D, but the transform is 3-D" \
  aladdin warp flat.nii --transform shift.tfm --like a.nii -o x.nii
expect_fail 1 "'a.nii' is 3-D, but 'flat.nii' is 2-D" aladdin warp a.nii --like flat.nii -o x.nii
expect_fail 1 "'shift.nrrd' has 3 values per voxel" aladdin warp shift.nrrd --like a.nii -o x.nii
echo 'not a transform' >text.tfm
expect_fail 1 "cannot read the transform 'text.tfm': it does not start with '#Insight Transform File'" \
  aladdin warp a.nii --transform text.tfm --like a.nii -o x.nii
make_image truncated truncated.nii
expect_fail 1 "'truncated.nii' is truncated" aladdin warp truncated.nii --like a.nii -o x.nii

# Points that will not do
printf 'name,x,y\nfirst,1,2\n' >no_z.csv
expect_fail 1 "'no_z.csv' has no column 'z'" aladdin warp --points no_z.csv --transform shift.tfm -o x.csv
printf 'x,y,z\n1,two,3\n' >word.csv
expect_fail 1 "row 2: 'two' is not a number" aladdin warp --points word.csv --transform shift.tfm -o x.csv
printf 'x,y,z\n1,2\n' >short.csv
expect_fail 1 'row 2 has 2 fields, expected 3' aladdin warp --points short.csv --transform shift.tfm -o x.csv
: >empty.csv
expect_fail 1 "'empty.csv' is empty" aladdin warp --points empty.csv --transform shift.tfm -o x.csv

# A transform takes one file, so that IMAGE may follow it; -t is short for --transform
expect_ok aladdin warp --transform shift.tfm a.nii --like a.nii -o after.nii
cmp after.nii by_affine.nii || complain 'IMAGE after --transform gives something else' warp
moves 'first,-5.000000,-4.000000,6.000000' -t shift.tfm -t double.tfm
ants() { aladdin warp --points points.csv --transform "$1" -o x.csv; }
expect_fail 2 "did you mean 'shift.tfm,inverse'?" ants '[shift.tfm,1]'
expect_fail 2 "did you mean 'shift.tfm'?" ants '[shift.tfm,0]'
expect_fail 2 "did you mean 'shift.tfm'?" ants '[shift.tfm]'

# warns TEXT COMMAND…: expect_ok, and TEXT in a warning.
warns() {
  expect_ok "${@:2}"
  grep -q "^warning:.*$1" "$folder/talk/err" || complain "no warning of '$1'" "${@:2}"
}
printf 'x,y,z\n-3,-2,3\n300,-2,3\n' >far.csv
warns '1 of 2 points are outside the grid' aladdin warp --points far.csv --transform shift.nrrd
warns '1 of 2 points are outside the grid' aladdin warp --points far.csv --transform shift.nrrd,inverse
affine '1 0 0 0 1 0 0 0 1' '500 0 0' >away.tfm
warns 'falls inside the image; the result is all 0' \
  aladdin warp a.nii --transform away.tfm --like a.nii -o away.nii

# Points from standard input
from_stdin() { "$ALADDIN" warp --points - "${@:2}" <"$1"; }
expect_out 'first,-2.000000,-2.000000,3.000000' from_stdin points.csv --transform shift.tfm
expect_fail 1 "'standard input' has no column 'z'" from_stdin no_z.csv --transform shift.tfm -o x.csv

# One volume of several, NaN as background, FreeSurfer's files
make_image image-4d four.nii
expect_ok aladdin warp four.nii,1 --like four.nii,0 -o second.nii
expect_fail 1 "name one of its volumes, counted from 0: 'FILE,0'" aladdin warp four.nii --like a.nii -o x.nii
expect_fail 1 'expected one of 0 to 1, not 2' aladdin warp four.nii,2 --like a.nii -o x.nii
make_image nan hole.nii
expect_fail 1 'NaN counts as 0 with --nan zero' aladdin warp hole.nii --like a.nii -o x.nii
expect_ok aladdin warp hole.nii --like a.nii -o filled.nii --nan zero
expect_fail 2 '--nan' aladdin warp hole.nii --like a.nii -o x.nii --nan none
expect_ok aladdin warp a.nii --like a.nii -o a.mgz
expect_out 'MGH' aladdin info a.mgz
expect_ok aladdin warp a.mgz --like a.mgz -o again.nii
cmp <(values again.nii) <(values same.nii) || complain 'an image changes by way of MGZ' warp
