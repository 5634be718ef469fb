# evaluate.sh ALADDIN: figures of `aladdin evaluate` against a few lines of NumPy, on a run of a moment, on its
# transforms exaggerated until they fold, and on no transforms at all. Ends with 77 where NumPy is not there.
set -euo pipefail
aladdin=$1
here=$(dirname "$(realpath "$0")")
# Debian's packages belong to Debian's Python, which need not be the first one.
for python in python3 /usr/bin/python3 ''; do
  [[ -n $python ]] || { echo 'SKIPPED: no python3-nibabel, python3-scipy'; exit 77; }
  ! "$python" -c 'import nibabel, scipy.ndimage' 2>/dev/null || break
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMP_WAIT_POLICY=passive

"$aladdin" synth -o knees --subjects 5 --val 0 --test 0 --size 24,32,32 --spacing 4,4,4 --seed 5 -q --threads 1
"$aladdin" build knees/cohort.csv -o run --spacing 5 --epochs 4,4,3 --set network.width=4 --set train.least=1 --threads 1 -q
"$aladdin" evaluate run --exact --no-surfaces --json -q >run.json
"$python" "$here/evaluate_reference.py" run.json --run run
# What the build counted is what is counted in its files.
"$python" - <<'PYTHON'
import csv, json
counted = {s["id"]: s["native_to_atlas"]["folds"] + s["atlas_to_native"]["folds"]
           for s in json.load(open("run.json"))["evaluations"][0]["by_subject"]}
written = {row["id"]: int(row["folds"]) for row in csv.DictReader(open("run/subjects.csv"))}
assert counted == written, (counted, written)
PYTHON

"$python" "$here/exaggerate.py" run far 6
there='far/{id}_from-native_to-atlas_mode-image_xfm.nii.gz'
back='far/{id}_from-atlas_to-native_mode-image_xfm.nii.gz'
"$aladdin" evaluate --labels 'knees/labels/{id}.nii.gz' --to-atlas "$there" --to-native "$back" \
  --exact --no-surfaces --json -q >far.json
"$python" "$here/evaluate_reference.py" far.json --labels 'knees/labels/{id}.nii.gz' --to-atlas "$there" --to-native "$back" |
  tee said
! grep -q '; 0 folds' said || { echo 'FAILED: nothing folds, so the counts are not tested'; exit 1; }

"$aladdin" evaluate --labels 'knees/labels/{id}.nii.gz' --to-atlas identity --exact --no-surfaces --json -q >none.json
"$python" "$here/evaluate_reference.py" none.json --labels 'knees/labels/{id}.nii.gz'
