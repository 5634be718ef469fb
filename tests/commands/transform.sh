# aladdin transform: composed, inverted, converted and described.
# affine MATRIX OFFSET: an ITK transform file on standard output.
affine() {
  printf '#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\n'
  printf 'Parameters: %s %s\nFixedParameters: 0 0 0\n' "$1" "$2"
}

make_image image a.nii  # 6 x 5 x 4
make_image image-2d flat.nii
affine '1 0 0 0 1 0 0 0 1' '1 0 0' >shift.tfm
affine '2 0 0 0 2 0 0 0 2' '0 0 0' >double.tfm
affine '1 0 0 0 0 0 0 0 1' '0 0 0' >singular.tfm
printf '#Insight Transform File V1.0\nTransform: AffineTransform_double_2_2\n' >flat.tfm
printf 'Parameters: 1 0 0 1 3 4\nFixedParameters: 0 0\n' >>flat.tfm
printf 'name,x,y,z\nfirst,-3,-2,2\n' >points.csv
# moves POINT TRANSFORM…: where the chain takes -3,-2,2.
moves() {
  local words=()
  for one in "${@:2}"; do words+=(-t "$one"); done
  expect_out "first,$1" aladdin warp --points points.csv "${words[@]}"
}

# Composed: the last one first
expect_ok aladdin transform -t shift.tfm -t double.tfm -o both.tfm
moves '-5.000000,-4.000000,4.000000' both.tfm
expect_ok aladdin transform -t shift.tfm -t double.tfm --invert -o back.mat
moves '-3.000000,-2.000000,2.000000' back.mat both.tfm
expect_ok aladdin transform -t shift.tfm,inverse -o minus.h5
moves '-4.000000,-2.000000,2.000000' minus.h5
expect_ok aladdin transform -t shift.tfm --like a.nii -o field.nii.gz
moves '-2.000000,-2.000000,2.000000' field.nii.gz
expect_ok aladdin transform -t field.nii.gz -t shift.tfm,inverse --like a.nii -o nothing.nrrd
moves '-3.000000,-2.000000,2.000000' nothing.nrrd
# A composite keeps the field and the affine
expect_ok aladdin transform -t double.tfm -t field.nii.gz -o composite.h5
moves '-4.000000,-4.000000,4.000000' composite.h5
expect_out 'transforms     2' aladdin info composite.h5
expect_ok aladdin transform -t field.nii.gz,inverse -o inverse.h5
moves '-4.000000,-2.000000,2.000000' inverse.h5

# Every format there and back
for pair in 'greedy g.mat as=greedy' 'mrtrix m.txt as=mrtrix' 'niftyreg n.txt as=niftyreg' \
  'fsl f.mat as=fsl,src=a.nii,ref=a.nii' 'lta l.lta as=lta' 'auto d.mif as=auto' \
  'mrtrix d.nii.gz as=mrtrix' 'niftyreg dn.nii.gz as=niftyreg' 'niftyreg-disp dd.nii.gz as=auto' \
  'fsl df.nii.gz as=auto,src=a.nii' 'spm y_a.nii as=spm' 'greedy dg.nii.gz as=greedy'; do
  read -r format file words <<<"$pair"
  expect_ok aladdin transform -t shift.tfm --like a.nii --source a.nii --format "$format" -o "$file"
  moves '-2.000000,-2.000000,2.000000' "$file,$words"
  moves '-4.000000,-2.000000,2.000000' "$file,inverse,$words"
done
expect_ok aladdin transform -t field.nii.gz --format ants -o reg_
[[ -f reg_0GenericAffine.mat && -f reg_1Warp.nii.gz && -f reg_1InverseWarp.nii.gz ]] ||
  complain 'the files of ANTs are not there' transform
moves '-2.000000,-2.000000,2.000000' reg_0GenericAffine.mat reg_1Warp.nii.gz
expect_ok aladdin warp a.nii -t reg_1Warp.nii.gz -t reg_0GenericAffine.mat --like a.nii -o other.nii
grep -qF 'ANTs means the other order' "$folder/talk/err" || complain 'no warning of the order' warp
expect_ok aladdin warp a.nii -t d.mif -o warped.nii
expect_out 'displacement field' aladdin info d.mif
expect_ok aladdin transform -t flat.tfm --like flat.nii -o flat.nii.gz

# Described
expect_out 'determinant    8' aladdin transform -t double.tfm
expect_out 'on the grid of a.nii' aladdin transform -t shift.tfm --like a.nii
expect_out 'mean 1 mm, max 1 mm' aladdin transform -t shift.tfm --like a.nii
expect_out 'inverse of a displacement field' aladdin transform -t field.nii.gz --invert
expect_out '"on_like"' aladdin transform -t shift.tfm --like a.nii --json

# Refused before anything is written
expect_fail 2 'expected at least one --transform' aladdin transform -o x.tfm
expect_fail 2 'without the grid of the field' aladdin transform -t shift.tfm -o x.nii.gz
expect_fail 2 'name it with --like' aladdin transform -t shift.tfm -o x.nii.gz
expect_fail 2 'without the image that it resamples; name it with --source' \
  aladdin transform -t shift.tfm --like a.nii -o x.lta
expect_fail 1 'holds an affine only' aladdin transform -t field.nii.gz -o x.mat
expect_fail 2 'expected .tfm' aladdin transform -t shift.tfm -o x.png
expect_fail 2 "as 'spm'" aladdin transform -t shift.tfm --like a.nii --format spm -o x.mha
expect_fail 2 '--format' aladdin transform -t shift.tfm --format fls -o x.mat
expect_fail 2 'does nothing without -o' aladdin transform -t shift.tfm --format fsl
expect_fail 2 'did you mean' aladdin transform -t g.mat,as=gredy -o x.tfm
expect_fail 2 "expected ',as='" aladdin transform -t g.mat,form=greedy -o x.tfm
expect_fail 1 "say whose it is: 'g.mat,as=greedy'" aladdin transform -t g.mat -o x.tfm
expect_fail 1 "'d.nii.gz,as=mrtrix'" aladdin transform -t d.nii.gz -o x.nii
expect_fail 1 'the source is missing' aladdin transform -t df.nii.gz -o x.nii
expect_fail 1 'has no inverse' aladdin transform -t singular.tfm --invert -o x.tfm
expect_fail 1 'is 2-D' aladdin transform -t shift.tfm --like flat.nii -o x.nii
expect_fail 1 'exists' aladdin transform -t shift.tfm -o both.tfm
expect_fail 1 'exists' aladdin transform -t field.nii.gz --format ants -o reg_
expect_ok aladdin transform -t shift.tfm -o both.tfm --force
printf 'x' >a.m3z
expect_fail 1 'a nonlinear transform of FreeSurfer' aladdin transform -t a.m3z -o x.tfm
