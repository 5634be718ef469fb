#!/usr/bin/env bash
# knees.sh OUT: synthetic knees (sagittal slices) whose table has the thickness of their femoral cartilage: has the atlas at
# thickness t that thickness? Over the middle 80 % of the range.
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:?usage: knees.sh OUT}
mkdir -p "$out"
[[ -e $out/slices/cohort.csv ]] ||
  "$aladdin" synth --slice --subjects ${SUBJECTS:-40} --val 0 --test 0 --size 24,128,128 --spacing 2.8,1.1,1.1 --seed 5 -q -o "$out/slices"
[[ -e $out/run/atlas.nii.gz ]] ||
  "$aladdin" build "$out/slices/cohort.csv" --engine optimise --no-report -q -o "$out/run"
sweep=$("$python" "$here/knees.py" range "$out/slices/cohort.csv")
"$aladdin" atlas "$out/run" --sweep "femoral_cartilage_mm=$sweep" -o "$out/atlases" --force -q >/dev/null
"$python" "$here/knees.py" measure "$out/slices" "$out/atlases"
