#!/usr/bin/env bash
# Is anybody lost? An atlas of 12 synthetic knees that are not aligned (--affine 2); 100 more are registered to it, and
# 20 that were turned by up to 40 degrees. Lists every one of them whose bones overlap the others' by a Dice of less than
# .85. On every second voxel: some 15 minutes on two cores.
#
#   bench/robust.sh ALADDIN FOLDER [flags of build…]
set -euo pipefail
aladdin=$1 folder=$2
shift 2
[ -e "$folder/knees/cohort.csv" ] ||
  "$aladdin" synth -o "$folder/knees" --subjects 132 --val 120 --test 0 --affine 2 --seed 5
mkdir -p "$folder/turned"
python3 - "$folder" <<'PY'
import csv, gzip, math, random, struct, sys
folder = sys.argv[1]
rows = list(csv.DictReader(open(f"{folder}/knees/cohort.csv")))
rng = random.Random(5)
out = csv.writer(open(f"{folder}/cohort.csv", "w"), lineterminator="\n")
out.writerow(["id", "image", "label", "split"])
for n, row in enumerate(rows):
    image, label = f"knees/{row['image']}", f"knees/{row['label']}"
    if n >= len(rows) - 20:
        head = gzip.open(f"{folder}/{image}").read(348)
        size = struct.unpack("<8h", head[40:56])[1:4]
        srow = [struct.unpack("<4f", head[280 + 16 * i:296 + 16 * i]) for i in range(3)]
        centre = [sum(srow[i][j] * (size[j] - 1) / 2 for j in range(3)) + srow[i][3] for i in range(3)]
        centre = [-centre[0], -centre[1], centre[2]]
        axis = [rng.gauss(0, 1) for _ in range(3)]
        norm = math.sqrt(sum(a * a for a in axis))
        x, y, z = (a / norm for a in axis)
        angle = math.radians(rng.uniform(20, 40))
        c, s = math.cos(angle), math.sin(angle)
        t = 1 - c
        matrix = [t*x*x+c, t*x*y-s*z, t*x*z+s*y, t*x*y+s*z, t*y*y+c, t*y*z-s*x, t*x*z-s*y, t*y*z+s*x, t*z*z+c]
        with open(f"{folder}/turned/{row['id']}.tfm", "w") as f:
            f.write("#Insight Transform File V1.0\n#Transform 0\nTransform: MatrixOffsetTransformBase_double_3_3\n"
                    f"Parameters: {' '.join(map(str, matrix))} 0 0 0\n"
                    f"FixedParameters: {' '.join(map(str, centre))}\n")
        image, label = f"turned/{row['id']}.nii.gz", f"turned/{row['id']}_label.nii.gz"
    out.writerow([row["id"], image, label, row["split"]])
PY
for tfm in "$folder"/turned/*.tfm; do
  id=$(basename "$tfm" .tfm)
  [ -e "$folder/turned/${id}_label.nii.gz" ] && continue
  "$aladdin" warp "$folder/knees/images/$id.nii.gz" -t "$tfm" --like "$folder/knees/images/$id.nii.gz" \
    -o "$folder/turned/$id.nii.gz" -q
  "$aladdin" warp "$folder/knees/labels/$id.nii.gz" -t "$tfm" --like "$folder/knees/labels/$id.nii.gz" \
    --interp label -o "$folder/turned/${id}_label.nii.gz" -q
done
"$aladdin" build "$folder/cohort.csv" -o "$folder/run" --downsample 2 --force --no-report "$@"
"$aladdin" evaluate "$folder/run" --no-surfaces --json > "$folder/evaluation.json"
python3 - "$folder" <<'PY'
import json, os, statistics, sys
folder = sys.argv[1]
subjects = json.load(open(f"{folder}/evaluation.json"))["evaluations"][0]["by_subject"]
for name, group in (("as they are", [s for s in subjects if not os.path.exists(f"{folder}/turned/{s['id']}.tfm")]),
                    ("turned", [s for s in subjects if os.path.exists(f"{folder}/turned/{s['id']}.tfm")])):
    bones = {s["id"]: min(s["bridge"]["1"], s["bridge"]["3"]) for s in group}
    lost = {i: round(b, 3) for i, b in bones.items() if b < 0.85}
    print(f"{len(group)} {name}: bones {statistics.median(bones.values()):.3f} (median of the worse), "
          f"{min(bones.values()):.3f} (worst); {len(lost)} below .85: {lost}")
PY
