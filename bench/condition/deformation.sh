#!/usr/bin/env bash
# deformation.sh OUT: how far validation subjects are from the atlas of their age and sex, and from the population's; and the
# Dice of the labels that each atlas gives them (../shared/data/oasis2d).
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:?usage: deformation.sh OUT}
run_of "$out"
mkdir -p "$out/val"
while IFS=, read -r id image label split age sex _; do
  [[ $split == val ]] || continue
  echo "$id,$oasis/$label"
  [[ -e $out/own/labels/$id.nii.gz ]] ||
    "$aladdin" register "$out/run" "$oasis/$image" -o "$out/own" --at "age=$age,sex=$sex" --extrapolate --labels --force -q \
      ${BANDWIDTH:+--bandwidth $BANDWIDTH}
  [[ -e $out/population/labels/$id.nii.gz ]] ||
    "$aladdin" register "$out/run" "$oasis/$image" -o "$out/population" --labels --force -q
done <"$oasis/subjects.csv" >"$out/val/subjects.csv"
"$python" "$here/deformation.py" "$out"
