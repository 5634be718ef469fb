make_image image a.nii
gzip -k a.nii
make_image image-2d flat.nii

expect_out '6 x 5 x 4' aladdin info a.nii
expect_out '6 x 5 x 4' aladdin info a.nii.gz
expect_out '6 x 5' aladdin info flat.nii
expect_out '6 x 5' aladdin info -- flat.nii

# What had to be assumed: nothing of an sform, or a qform; where they disagree, and where there is neither, it is said
patch_short() { printf "\\x$(printf %02x "$2")\\x00" | dd of="$1" bs=1 seek="$3" conv=notrunc status=none; }
cp a.nii forms.nii
expect_ok aladdin info forms.nii
! grep -q note "$folder/talk/out" || complain 'a note of an image with a form' info
patch_short forms.nii 1 252
patch_short forms.nii 2 254
printf '\x00\x00\x48\x42' | dd of=forms.nii bs=1 seek=292 conv=notrunc status=none  # 50 mm
expect_out 'note           its qform (code 1) and its sform (code 2) are up to' aladdin info forms.nii
patch_short forms.nii 0 252
patch_short forms.nii 0 254
expect_out 'the header does not say how it lies in the scanner' aladdin info forms.nii
expect_out '"note": "the header does not say how' aladdin info --json forms.nii

# Not an image at all
expect_fail 1 "no such file: 'missing.nii'" aladdin info missing.nii
: >empty.nii
expect_fail 1 "'empty.nii' is empty" aladdin info empty.nii
echo 'not an image' >text.nii
expect_fail 1 "'text.nii' is not an image" aladdin info text.nii
echo 'not an image' | gzip >text.nii.gz
expect_fail 1 "'text.nii.gz' is not an image" aladdin info text.nii.gz
echo 'NRRD0004' >cut.nrrd
expect_fail 1 "'cut.nrrd' has an unusable header: " aladdin info cut.nrrd
printf 'ObjectType = Image\nNDims = 3\nDimSize = 4 4\n' >cut.mha
expect_fail 1 "'cut.mha' has an unusable header: " aladdin info cut.mha
mkdir folder
expect_fail 1 "'folder' holds no DICOM series" aladdin info folder
head -c 100 a.nii >short-header.nii
expect_fail 1 "'short-header.nii' is not an image" aladdin info short-header.nii

# An image that nothing can be done with
bad() { make_image "$1" "$1.nii" && expect_fail 1 "$2" aladdin info "$1.nii"; }
make_image image-4d image-4d.nii
expect_out 'volumes        2, NIfTI, float32' aladdin info image-4d.nii
expect_out '6 x 5 x 2' aladdin info image-4d.nii
expect_out '"volumes": 2' aladdin info --json image-4d.nii
bad image-1d "'image-1d.nii' is 1-D"
bad rgb "'rgb.nii' is a colour image"
bad complex "'complex.nii' has complex values"
bad unknown-type "'unknown-type.nii' has an unknown NIfTI data type (9999)"
bad zero-size "'zero-size.nii' has no voxels along axis 1"
bad negative-size "'negative-size.nii' has no voxels along axis 1"
bad no-dimensions "'no-dimensions.nii' has a damaged header: its number of dimensions"
bad zero-spacing "'zero-spacing.nii' has an unusable geometry: axis 1 has a spacing of 0 mm"
bad nan-spacing "'nan-spacing.nii' has an unusable geometry: axis 1 has a spacing of nan mm"
bad singular "'singular.nii' has an unusable geometry: its sform is singular"
bad nan-origin "'nan-origin.nii' has an unusable geometry: its origin or axes are not finite"
bad huge "'huge.nii' is truncated or its header is wrong"
bad truncated "'truncated.nii' is truncated"
bad header-only "'header-only.nii' is truncated or its header is wrong"
head -c 150 a.nii.gz >cut.nii.gz
expect_fail 1 "'cut.nii.gz' is truncated: its gzip stream ends too early" aladdin info cut.nii.gz

# The good file before the bad one is still described
expect_fail 1 "no such file: 'missing.nii'" aladdin info a.nii missing.nii

# Our own words, and where to go from here
echo 'notes' >notes.txt
expect_fail 1 "'notes.txt': it does not start with" \
  aladdin info notes.txt
expect_fail 1 "'aladdin cohort' describes a folder of images" aladdin info folder

# A model, with a network and without
make_model a.nii model.safetensors
expect_out 'aladdin model, version 1, 3-D' aladdin info model.safetensors
expect_out 'U-Net of width' aladdin info model.safetensors
expect_out '"kind": "model"' aladdin info --json model.safetensors
echo 'no model' >text.safetensors
expect_fail 1 "'text.safetensors'" aladdin info text.safetensors

# Files of other programs are called what they are
printf '1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n' >matrix.mat
expect_fail 1 "'matrix.mat' is a plain 4 x 4 matrix" aladdin info matrix.mat
for kind in 'reg.m3z FreeSurfer' 'reg.aff12.1D AFNI' 'reg.1D AFNI'; do
  echo '1 0 0 0 0 1 0 0 0 0 1 0' >"${kind% *}"
  expect_fail 1 "${kind#* }" aladdin info "${kind% *}"
  ! grep -q damaged "$folder/talk/err" || complain 'a sound file is called damaged' info "$kind"
done
printf 'NRRD0004\ntype: float\ndimension: 3\nsizes: 64 64 64\nencoding: bzip2\nendian: little\n\nBZh9' >packed.nrrd
expect_fail 1 "'packed.nrrd' is an NRRD file with the encoding bzip2, which is not supported" aladdin info packed.nrrd

# Labels beyond what a label may be
printf 'NRRD0004\ntype: uint32\ndimension: 2\nsizes: 2 2\nencoding: ascii\n\n0 7 7 3000000000\n' >beyond.nrrd
expect_fail 1 "'beyond.nrrd' has the label 3000000000, which does not fit a 32-bit integer" \
  aladdin warp beyond.nrrd --like beyond.nrrd -o x.nii --interp label

# A file that may not be read: the system says why. Root may read everything, so that somebody else tries.
cp a.nii secret.nii
chmod 000 secret.nii
as_anybody=()
if (( $(id -u) == 0 )); then
  as_anybody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 755 "$folder" "$folder/work"
fi
if "${as_anybody[@]}" test -x "$ALADDIN" 2>/dev/null; then
  expect_fail 1 "cannot read 'secret.nii': Permission denied" "${as_anybody[@]}" "$ALADDIN" info secret.nii
else
  echo 'SKIPPED: nobody else may run the program here'
fi
