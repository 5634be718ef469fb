make_image image a.nii
make_image labels labels.nii
make_image shifted shifted.nii
make_image constant constant.nii

expect_ok aladdin snapshot a.nii -o a.png
expect_ok aladdin snapshot constant.nii -o constant.png

expect_fail 2 'snapshot' aladdin snapshot -o out.png
expect_fail 2 '--output' aladdin snapshot a.nii
expect_fail 1 "no such file: 'missing.nii'" aladdin snapshot missing.nii -o out.png
expect_fail 1 "no such file: 'missing.nii'" aladdin snapshot a.nii --labels missing.nii -o out.png
expect_fail 1 "'a.png' exists already" aladdin snapshot a.nii -o a.png
expect_fail 2 'out.bmp' aladdin snapshot a.nii -o out.bmp
for kind in nan rgb image-4d truncated; do
  make_image $kind $kind.nii
  expect_fail 1 "$kind.nii" aladdin snapshot $kind.nii -o out.png
done
