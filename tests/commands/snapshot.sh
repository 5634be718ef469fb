make_image image a.nii
make_image labels labels.nii
make_image shifted shifted.nii
make_image constant constant.nii

expect_ok aladdin snapshot a.nii -o a.png
expect_ok aladdin snapshot constant.nii -o constant.png

expect_fail 2 'aladdin snapshot needs IMAGE' aladdin snapshot -o out.png
expect_fail 2 'aladdin snapshot needs --output' aladdin snapshot a.nii
expect_fail 1 "no such file: 'missing.nii'" aladdin snapshot missing.nii -o out.png
expect_fail 1 "no such file: 'missing.nii'" aladdin snapshot a.nii --labels missing.nii -o out.png
expect_fail 1 "'a.png' exists already" aladdin snapshot a.nii -o a.png
expect_fail 2 "'out.bmp' does not end in .png" aladdin snapshot a.nii -o out.bmp
bad() { make_image "$1" "$1.nii" && expect_fail 1 "'$1.nii' $2" aladdin snapshot "$1.nii" -o out.png; }
bad nan 'has 1 values that are NaN or infinite'
bad rgb 'is a colour image'
bad image-4d 'is 4-D'
bad truncated 'is truncated'

# A flag with several values takes what follows it
expect_fail 2 'put IMAGE before --labels' aladdin snapshot --labels labels.nii a.nii -o out.png
make_image image-2d flat.nii
expect_fail 2 '--at has 2 numbers, expected 3' aladdin snapshot a.nii --at -1,-2 -o out.png
expect_fail 2 '--offset has 1 numbers, expected 3' aladdin snapshot a.nii --offset 1 -o out.png
expect_fail 2 '--at has 3 numbers, expected 2' aladdin snapshot flat.nii --at 1,2,3 -o out.png

# Pictures on which nothing would show
expect_fail 1 "the slices would miss 'a'" aladdin snapshot a.nii --at 1000,0,0 -o out.png
expect_fail 1 "'a.nii' is not a label map" aladdin snapshot a.nii --labels a.nii -o out.png
expect_ok aladdin snapshot a.nii --labels labels.nii -o labelled.png
