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

expect_fail 1 "no such cohort: 'missing.csv'" aladdin cohort missing.csv
: >empty.csv
expect_fail 1 "'empty.csv' has no rows, expected id,image" aladdin cohort empty.csv
cohort_of id,image
expect_fail 1 "the cohort 'cohort.csv' has no subjects" aladdin cohort cohort.csv
cohort_of id,picture a,images/a.nii
expect_fail 1 "there is no column 'image'" aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii a,images/b.nii
expect_fail 1 "the id 'a' is given to 2 subjects" aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii b,images/missing.nii
expect_fail 1 "b: image: no such file: 'images/missing.nii'" aladdin cohort cohort.csv
cohort_of id,image,label a,images/a.nii,images/labels.nii b,images/shifted.nii,images/labels.nii
expect_fail 1 "the label 'images/labels.nii' is on another grid than the image" aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii b,images/flat.nii
expect_fail 1 'b: is 2-D while' aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii,extra
expect_fail 1 'row 2 has 3 fields, expected 2' aladdin cohort cohort.csv
cohort_of id,image a,images/a.nii ,images/b.nii
expect_fail 1 "the id '' cannot be used in file names" aladdin cohort cohort.csv
printf 'id,image\n"a,images/a.nii\n' >cohort.csv
expect_fail 1 "while reading 'cohort.csv': a quoted CSV field is never closed" aladdin cohort cohort.csv

# Several things wrong: all are said at once
cohort_of id,image a,images/a.nii a,images/b.nii c,images/missing.nii
expect_fail 1 "the id 'a' is given to 2 subjects" aladdin cohort cohort.csv
expect_fail 1 "c: image: no such file: 'images/missing.nii'" aladdin cohort cohort.csv

mkdir nothing
expect_fail 1 "the folder 'nothing' holds no images" aladdin cohort nothing
expect_fail 1 "nothing matches 'images/*.mha'" aladdin cohort 'images/*.mha'
mkdir decathlon
echo '{ "training": [' >decathlon/dataset.json
expect_fail 1 "dataset.json' is not valid JSON, line 2" aladdin cohort decathlon
! grep -q 'json.exception' "$folder/talk/err" || complain "a library's own words" cohort
expect_fail 2 "no flag '--jsn'; did you mean '--json'?" aladdin cohort --jsn images

# A pattern that the shell has expanded
expect_fail 2 'quote the pattern' aladdin cohort images/a.nii images/b.nii images/c.nii

# A Decathlon or nnU-Net folder that lost its dataset.json
mkdir -p lost/imagesTr lost/labelsTr && cp images/a.nii lost/imagesTr
expect_fail 1 "'lost' has a folder imagesTr but no dataset.json" aladdin cohort lost

# A folder beside whose images lies a table
mkdir -p study/images && cp images/[ab].nii study/images
printf 'id,image,split,age\na,images/a.nii,train,61\nb,images/b.nii,test,70\n' >study/cohort.csv
expect_out "the folder holds 'study/cohort.csv', which is not used" aladdin cohort study --json
grep -q "^warning: the folder holds 'study/cohort.csv'" "$folder/talk/err" ||
  complain 'no warning of the table' aladdin cohort study --json
# Beside them what never answers, never ends, or is one line of 30 GB
mkfifo study/pipe.csv
ln -s /dev/zero study/zero.csv
truncate -s 30G study/long.csv
expect_out "the folder holds 'study/cohort.csv'" timeout 60 "$ALADDIN" cohort study --json
mkdir study/images/folder
mkfifo study/images/folder/a
ln -s /dev/zero study/images/folder/b
expect_ok timeout 60 "$ALADDIN" cohort study
mkfifo pipe-a pipe-b
expect_fail 1 "'pipe-a' is not an image" timeout 60 "$ALADDIN" cohort 'pipe-*'
rm -r study/images
expect_fail 1 "did you mean 'study/cohort.csv'?" aladdin cohort study

# What is wrong with voxels is told beside what is wrong with headers
cohort_of id,image a,images/a.nii b,images/nan.nii c,images/missing.nii
expect_fail 1 'has 2 problems' aladdin cohort cohort.csv
grep -q 'b: .*NaN' "$folder/talk/err" || complain 'the header problem hides the NaN' cohort
# Negative labels, before any work
make_image negative-labels images/negative.nii
for command in cohort 'build -o x'; do
  cohort_of id,image,label a,images/a.nii,images/labels.nii b,images/b.nii,images/negative.nii
  expect_fail 1 "b: 'images/negative.nii' has the label -4, expected none below 0" aladdin $command cohort.csv
done
expect_fail 1 "images/negative.nii' has the label -4" aladdin evaluate --cohort cohort.csv --to-atlas 'images/{id}.nii'

# warnings TEXT COMMAND…: one warning has the text, and is the only one
warnings() {
  expect_ok "${@:2}"
  [[ $(grep '^warning:' "$folder/talk/err") == *"$1"* && $(grep -c '^warning:' "$folder/talk/err") == 1 ]] ||
    complain "expected one warning: $1" "${@:2}"
}
# Equal warnings are one line
mkdir slices thin
for n in $(seq 10 39); do make_image coronal slices/s$n.nii; done
warnings 's10 and 29 others: it is a slice across the first two world axes' aladdin cohort slices
make_image thin thin/a.nii && make_image thin thin/b.nii
warnings 'a and 1 other: it has one voxel along its first axis and is taken as 3-D' aladdin cohort thin

# Subjects unlike the others are named, the grid follows the others, and the flag that is shown leaves them out
mkdir alike
for n in 1 2 3 4 5 6; do make_image image alike/s$n.nii; done
expect_ok aladdin cohort alike
[[ ! -s $folder/talk/err ]] || complain 'like subjects are warned of' cohort
make_image inverted alike/s7.nii
warnings 's7 is unlike the other subjects: its contrast is the inverse of theirs' aladdin cohort alike
grep -q -- '--exclude s7' "$folder/talk/err" || complain 'how to leave it out?' cohort
expect_out 'subjects      6' aladdin cohort alike --exclude s7
[[ ! -s $folder/talk/err ]] || complain 'a subject that is left out is warned of' cohort
rm alike/s7.nii
make_image large alike/s8.nii
expect_out 'working grid  6 x 5 x 4, 1 x 1 x 1 mm' aladdin cohort alike
grep -q 's8 is unlike the other subjects: its content is 60 x 50 x 40 mm, the median is 6 x 5 x 4 mm' "$folder/talk/err" ||
  complain 'the large one is not named' cohort
expect_fail 2 "there is no subject 's9' to exclude from 'alike'" aladdin cohort alike --exclude s9
