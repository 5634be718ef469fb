#!/usr/bin/env bash
# check_bids.sh FOLDER: the calls of a BIDS App on a tree with two subjects of two sessions, made in FOLDER.
set -euo pipefail
mkdir -p "$1"
cd "$1"
aladdin synth --subjects 4 --val 0 --test 0 --size 24,40,40 --spacing 4,3,3 --seed 3 -q -o knees
n=0
for image in knees/images/*.nii.gz; do
  n=$((n + 1))
  name=sub-0$(((n + 1) / 2))_ses-$((n % 2 + 1))
  mkdir -p "study/${name/_//}/anat"
  cp "$image" "study/${name/_//}/anat/${name}_T1w.nii.gz"
done
printf '{"Name": "two sessions", "BIDSVersion": "1.9.0"}\n' >study/dataset_description.json

aladdin-bids study out group --preset fast --spacing 6 --minutes 0.1 --no-report -q
[[ -s out/dataset_description.json && -s out/tpl-atlas/tpl-atlas_T1w.nii.gz ]]
[[ $(find out/sub-* -name '*_xfm.nii.gz' | wc -l) == 8 ]]
aladdin-bids study out participant --participant-label 01 -q
[[ $(find out/registered/transforms -name 'sub-01_*_xfm.nii.gz' | wc -l) == 4 ]]
aladdin-bids study elsewhere participant --participant-label sub-02 --atlas out -q
[[ $(find elsewhere/registered/transforms -name 'sub-02_*_xfm.nii.gz' | wc -l) == 4 ]]
! aladdin-bids study out participant --participant-label 07 2>said
grep -q "no participant '07'" said
find out -path '*sub-0*' -name '*_xfm.nii.gz' | sort | head -4
echo 'group and participant: all transforms are there'
