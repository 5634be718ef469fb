# The flags of the working grid, labels by folder, and what is written.
mkdir images labels
for id in a b; do make_image image images/$id.nii; make_image labels labels/$id.nii; done

expect_out '2 subjects' aladdin cohort images --labels labels
expect_out 'working grid  6 x 5 x 4' aladdin cohort images
expect_out 'padded to     16 x 16 x 16' aladdin cohort images
expect_out '"shift_mm"' aladdin cohort images --json
expect_out 'working grid  3 x 3 x 2, 2 x 2 x 2 mm' aladdin cohort images --downsample 2
expect_out 'working grid  8 x 8 x 8' aladdin cohort images --size 8,8,8
expect_out 'working grid  6 x 5 x 4' aladdin cohort images --like images/b.nii

expect_fail 2 '--size has 2 numbers, expected 3 for 3-D images' aladdin cohort images --size 8,8
expect_fail 2 "--size '8,8,x' is not a list of numbers" aladdin cohort images --size 8,8,x
expect_fail 2 "--size '8,8,1.5' is not a list of whole numbers" aladdin cohort images --size 8,8,1.5
expect_fail 2 '--spacing -1 is not a positive number of mm' aladdin cohort images --spacing=-1
expect_fail 2 '--spacing and --downsample both' aladdin cohort images --spacing 1 --downsample 2
expect_fail 2 '--like fixes the whole grid' aladdin cohort images --like images/a.nii --size 8,8,8
expect_fail 1 "no such file: 'gone.nii'" aladdin cohort images --like gone.nii
expect_fail 1 'the working grid would be' aladdin cohort images --spacing 0.001
expect_fail 2 'is neither a folder nor a pattern' aladdin cohort images --labels lables
mkdir half
cp labels/a.nii half
expect_fail 1 'b: no file of that name in the --labels folder' aladdin cohort images --labels half

expect_fail 2 "-o 'subjects.txt' does not end in .csv" aladdin cohort images -o subjects.txt
expect_ok aladdin cohort images --labels labels -o subjects.csv
expect_out '2 subjects' aladdin cohort subjects.csv
expect_fail 1 "'subjects.csv' exists already; choose another name or overwrite it with --force" \
  aladdin cohort images -o subjects.csv
expect_ok aladdin cohort images -o subjects.csv --force
