# What `aladdin info` says of the content of label maps and transforms (info.sh: files that will not do).
make_image image a.nii
cat >turn.tfm <<'END'
#Insight Transform File V1.0
#Transform 0
Transform: AffineTransform_double_3_3
Parameters: 0 -2 0 2 0 0 0 0 2 1 2 3
FixedParameters: 0 0 0
END
{
  printf 'NRRD0004\ntype: float\ndimension: 4\nspace: left-posterior-superior\nsizes: 3 2 2 2\n'
  printf 'space directions: none (1,0,0) (0,1,0) (0,0,1)\nkinds: vector domain domain domain\n'
  printf 'encoding: ascii\nspace origin: (0,0,0)\n\n'
  for z in 0 1; do for y in 0 1; do for x in 0 1; do echo "0 $y $((-2 * z))"; done; done; done
} >field.nrrd

expect_out '0 to 119, mean 59.5' aladdin info a.nii
expect_out '"max": 119.0' aladdin info --json a.nii
expect_out 'determinant    8' aladdin info turn.tfm
expect_out 'rotation       0, 0, 90 degrees' aladdin info turn.tfm
expect_out '"determinant": 8.0' aladdin info turn.tfm --json
# y is doubled, z is turned round: a determinant of 2 * -1 everywhere
expect_out 'max 2.236 mm' aladdin info field.nrrd
expect_out '-2 to -2' aladdin info field.nrrd
expect_out '8 of 8 voxels' aladdin info field.nrrd
expect_out '"folds": 8' aladdin info --json field.nrrd

# A bad file among good ones: the others are still described
expect_fail 1 "no such file: 'missing.nii'" aladdin info missing.nii a.nii
grep -q '0 to 119' "$folder/talk/out" || complain 'the good file is not described' info
expect_fail 1 '2 of 3 files could not be described' aladdin info missing.nii a.nii missing.tfm
expect_fail 1 "no such file: 'missing.tfm'" aladdin info --json missing.nii a.nii missing.tfm
grep -q '"error": "no such file' "$folder/talk/out" || complain 'the JSON does not name the error' info

# A file name need not be UTF-8, JSON must be
make_image image $'caf\xe9.nii'
expect_out '"file": "caf�.nii"' aladdin info --json $'caf\xe9.nii'
expect_fail 1 'no such file' aladdin info --json $'gone\xe9.nii' a.nii
grep -q '"max": 119.0' "$folder/talk/out" || complain 'a bad name loses the JSON' info
mkdir images
cp $'caf\xe9.nii' a.nii images
expect_out '"image": "images/caf�.nii"' aladdin cohort images --json
