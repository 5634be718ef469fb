#!/usr/bin/env bash
# Do transforms give the volumes that are counted? Jacobian volume over native volume by structure: synthetic knees with
# their true transforms, all of whose differences are in the transforms, and the run of oasis2d with its own.
#
#   bench/stats/volumes.sh [OUT]      (default: stats_volumes)
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:-stats_volumes}
mkdir -p "$out"
[[ -e $out/knees/cohort.csv ]] ||
  "$aladdin" synth -o "$out/knees" --subjects 10 --size 80,96,96 --spacing 1.4,1.46,1.46 --thickness 0 --lesions 0 -q
"$aladdin" measure --to-atlas "$out/knees/transforms/{id}_from-native_to-atlas_mode-image_xfm.nii.gz" \
  --cohort "$out/knees/cohort.csv" --atlas "$out/knees/atlas/image.nii.gz" \
  --atlas-labels "$out/knees/atlas/labels.nii.gz" --maps none -o "$out/true" --force -q >/dev/null
run_of "$out"
"$aladdin" measure "$out/run" --names "$oasis/labels.csv" --maps none -o "$out/real" --force -q >/dev/null
for which in true real; do
  echo "$which: Jacobian volume / native volume"
  "${python}" - "$out/$which/measures.csv" <<'PYTHON'
import csv, statistics, sys
ratios = {}
for row in csv.DictReader(open(sys.argv[1])):
    if row["volume"] and float(row["volume"]) > 0:
        ratios.setdefault(row["structure"], []).append(float(row["jacobian_volume"]) / float(row["volume"]))
print(f"{'structure':32s} {'mean':>7s} {'sd':>7s} {'worst':>7s}")
for name, values in ratios.items():
    worst = max(values, key=lambda r: abs(r - 1))
    print(f"{name:32s} {statistics.mean(values):7.3f} {statistics.stdev(values):7.3f} {worst:7.3f}")
PYTHON
done
