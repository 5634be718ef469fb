mkdir images
for id in a b c; do make_image image images/$id.nii; done
make_image labels images/labels.nii
make_image shifted images/shifted.nii
make_image image-2d images/flat.nii
make_image nan images/nan.nii

# cohort_of LINE…: a CSV of these lines.
cohort_of() { printf '%s\n' "$@" >cohort.csv; }

cohort_of id,image,label a,images/a.nii,images/labels.nii b,images/b.nii,images/labels.nii
expect_ok aladdin cohort cohort.csv

expect_fail 1 'missing.csv' aladdin cohort missing.csv
: >empty.csv
expect_fail 1 'empty.csv' aladdin cohort empty.csv
cohort_of id,image
expect_fail 1 'cohort.csv' aladdin cohort cohort.csv
cohort_of id,picture a,images/a.nii
expect_fail 1 'image' aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii a,images/b.nii
expect_fail 1 "'a'" aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii b,images/missing.nii
expect_fail 1 'images/missing.nii' aladdin cohort cohort.csv
cohort_of id,image,label a,images/a.nii,images/labels.nii b,images/shifted.nii,images/labels.nii
expect_fail 1 'images/labels.nii' aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii b,images/flat.nii
expect_fail 1 '2-D' aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii,extra
expect_fail 1 'cohort.csv' aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii ,images/b.nii
expect_fail 1 'id' aladdin cohort cohort.csv
printf 'id,image\n"a,images/a.nii\n' >cohort.csv
expect_fail 1 'cohort.csv' aladdin cohort cohort.csv

# Several things wrong: all are said at once
cohort_of id,image a,images/a.nii a,images/b.nii c,images/missing.nii
expect_fail 1 "'a'" aladdin cohort cohort.csv
expect_fail 1 'images/missing.nii' aladdin cohort cohort.csv

mkdir nothing
expect_fail 1 'nothing' aladdin cohort nothing
expect_fail 1 'images/*.mha' aladdin cohort 'images/*.mha'
mkdir decathlon
echo '{ "training": [' >decathlon/dataset.json
expect_fail 1 'dataset.json' aladdin cohort decathlon
expect_fail 2 "no flag '--jsn'; did you mean '--json'?" aladdin cohort --jsn images
