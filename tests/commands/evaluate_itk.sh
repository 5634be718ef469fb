# Fields in both directions, written by ITK as NIfTI, NRRD and MetaImage: the same figures.
aladdin synth -o knees --subjects 3 --val 0 --test 0 --size 24,32,32 --spacing 4,4,4 --seed 4 -q
for format in nii.gz nii nrrd mha; do
  mkdir "$format"
  for way in native_to-atlas atlas_to-native; do
    for id in knee001 knee002 knee003; do
      expect_ok "$REWRITE_FIELD" "knees/transforms/${id}_from-${way}_mode-image_xfm.nii.gz" "$format/${id}_$way.$format"
    done
  done
  expect_ok aladdin evaluate --labels 'knees/labels/{id}.nii.gz' --to-atlas "$format/{id}_native_to-atlas.$format" \
    --to-native "$format/{id}_atlas_to-native.$format" --csv "$format.csv" --json
  cp "$folder/talk/out" "$format.json"
done
ours='knees/transforms/{id}_from'
expect_ok aladdin evaluate --labels 'knees/labels/{id}.nii.gz' --to-atlas "${ours}-native_to-atlas_mode-image_xfm.nii.gz" \
  --to-native "${ours}-atlas_to-native_mode-image_xfm.nii.gz" --csv ours.csv
for format in nii.gz nii nrrd mha; do
  cmp "$format.csv" ours.csv || complain "other figures from $format" evaluate
  # NIfTI keeps origins and directions in float: the same to 1e-6, whole numbers to the digit.
  paste -d '\n' <(grep -oE -- '-?[0-9][0-9.e+-]*' "$format.json") <(grep -oE -- '-?[0-9][0-9.e+-]*' nrrd.json) |
    awk 'NR % 2 { a = $1; next } { ++n; d = a - $1; m = 1e-6 * (1 + ($1 < 0 ? -$1 : $1));
      if ((a ~ /^[0-9]+$/ && a != $1) || d > m || d < -m) exit 1 } END { if (n < 100) exit 1 }' ||
    complain "other figures from $format" evaluate
done
# One direction only: the other is solved, from any format to the same figures.
for format in nii.gz nrrd mha; do
  expect_ok aladdin evaluate --labels 'knees/labels/{id}.nii.gz' --to-atlas "$format/{id}_native_to-atlas.$format" --csv "one.$format.csv"
  cmp "one.$format.csv" one.nii.gz.csv || complain "other figures from one direction in $format" evaluate
done
