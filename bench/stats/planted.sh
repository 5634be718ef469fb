#!/usr/bin/env bash
# Power and place: synthetic knees whose femoral cartilage, and it alone, thickens with a covariate while that of the tibia
# is held. What share of what is found lies in the femoral cartilage, and how far from it does the farthest voxel lie?
#
#   bench/stats/planted.sh [OUT] [SUBJECTS]      (default: stats_planted, 100)
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:-stats_planted}
subjects=${2:-100}
mkdir -p "$out"
[[ -e $out/knees/cohort.csv ]] ||
  "$aladdin" synth -o "$out/knees" --subjects "$subjects" --val 0 --test 0 --slice --size 40,160,160 \
    --spacing 2.8,.875,.875 --thickness 2 --lesions 0 -q
[[ -e $out/run/atlas.nii.gz ]] ||
  "$aladdin" build "$out/knees/cohort.csv" --preset fast --minutes 5 --refine 30 --no-report -q -o "$out/run"
for covariate in femoral tibial; do
  "$aladdin" stats "$out/run" --model 'femoral_cartilage_mm + tibial_cartilage_mm + age + sex' \
    --test ${covariate}_cartilage_mm --smooth 2 --permutations 2000 --force -o "$out/$covariate"
done
"$python" - "$out" <<'PYTHON'
import sys
import nibabel as nib
import numpy as np
from scipy import ndimage
out = sys.argv[1]
labels = nib.load(f"{out}/run/atlas_labels.nii.gz")
where, mm = np.squeeze(labels.get_fdata()), labels.header.get_zooms()[:2]
names = {1: "femur", 2: "femoral cartilage", 3: "tibia", 4: "tibial cartilage"}
for covariate, own in (("femoral", 2), ("tibial", 4)):
    p = np.squeeze(nib.load(f"{out}/{covariate}/p_tfce.nii.gz").get_fdata())
    t = np.squeeze(nib.load(f"{out}/{covariate}/t.nii.gz").get_fdata())
    found = p <= .05
    distance = ndimage.distance_transform_edt(where != own, sampling=mm)
    peak = np.unravel_index(np.argmax(np.where(found, np.abs(t), 0)), t.shape)
    print(f"{covariate}: {found.sum()} voxels found, the largest t {t[peak]:.1f} in "
          f"{names.get(int(where[peak]), 'no structure')}, {distance[peak]:.1f} mm from its cartilage")
    for sign, word in ((1, "larger"), (-1, "smaller")):
        part = found & (np.sign(t) == sign)
        if part.any():
            print(f"  {word}: {part.sum()}; distance from the cartilage: median {np.median(distance[part]):.1f}, "
                  f"95 % {np.quantile(distance[part], .95):.1f}, farthest {distance[part].max():.1f} mm")
    for label, name in names.items():
        print(f"  found of the {name}: {100 * found[where == label].mean():.0f} %")
PYTHON
