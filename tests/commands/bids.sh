# aladdin build --bids: a BIDS tree with two sessions in, a derivative dataset out.
aladdin synth --subjects 4 --val 0 --test 0 --size 28,34,34 --spacing 4,4,4 --threads 1 -q -o knees
n=0
for image in knees/images/*.nii.gz; do
  n=$((n + 1))
  id=sub-0$(( (n + 1) / 2 ))_ses-$(( n % 2 + 1 ))
  anat=study/${id/_//}/anat
  mkdir -p "$anat"
  cp "$image" "$anat/${id}_T1w.nii.gz"
done
printf '{"Name": "two sessions", "BIDSVersion": "1.9.0"}\n' >study/dataset_description.json
build() {
  aladdin build study -o study/derivatives/atlas --preset fast --spacing 6 --set train.refine=0 --epochs 2,1,1 \
    --threads 1 --no-report -q "$@"
}
expect_ok build --bids --bids-label knees --warped
cd study/derivatives/atlas
for id in sub-01_ses-1 sub-01_ses-2 sub-02_ses-1 sub-02_ses-2; do
  for end in from-T1w_to-knees_mode-image_xfm from-knees_to-T1w_mode-image_xfm space-knees_T1w; do
    file=${id/_//}/anat/${id}_$end
    [[ -s $file.nii.gz && -s $file.json ]] || complain "no $file" build
  done
  cmp "transforms/${id}_from-native_to-atlas_mode-image_xfm.nii.gz" \
    "${id/_//}/anat/${id}_from-T1w_to-knees_mode-image_xfm.nii.gz" || complain 'another transform' build
done
[[ -s tpl-knees/tpl-knees_T1w.nii.gz && -s tpl-knees/tpl-knees_T1w.json ]] || complain 'no template' build
grep -q '"DatasetType": "derivative"' dataset_description.json || complain 'no description' build
grep -q 'bids:raw:sub-01/ses-1/anat/sub-01_ses-1_T1w.nii.gz' sub-01/ses-1/anat/*to-knees*.json || complain 'no source' build
sum=$(sha256sum ../../sub-01/ses-1/anat/sub-01_ses-1_T1w.nii.gz | cut -d' ' -f1)
grep -q "$sum" sub-01/ses-1/anat/*to-knees*.json || complain 'another checksum' build
cd ../../..
expect_ok aladdin warp study/sub-01/ses-1/anat/sub-01_ses-1_T1w.nii.gz -o moved.nii.gz \
  -t study/derivatives/atlas/sub-01/ses-1/anat/sub-01_ses-1_from-T1w_to-knees_mode-image_xfm.nii.gz
# A finished run is laid out again, under another name
expect_ok build --bids --bids-label other --warped --resume
[[ -d study/derivatives/atlas/tpl-other && ! -d study/derivatives/atlas/tpl-knees ]] || complain 'two templates' build
# The derivatives are no part of the cohort
expect_out '4' aladdin cohort study
expect_fail 2 'letters and digits only' aladdin build study -o x --bids --bids-label 'a b'
expect_fail 2 'wants a BIDS tree' aladdin build knees/cohort.csv -o x --bids
