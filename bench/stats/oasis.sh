#!/usr/bin/env bash
# What shrinks and grows with age, and what is found for a clinical dementia rating above 0 against controls of the same ages,
# on oasis2d with sex and eTIV held.
#
#   bench/stats/oasis.sh [OUT]      (default: stats_oasis)
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:-stats_oasis}
run_of "$out"
common=(--split train --names "$oasis/labels.csv" --permutations 5000 --force)
"$aladdin" stats "$out/run" --covariates "$oasis/subjects.csv" --model 'age + sex + etiv' --test age \
  "${common[@]}" -o "$out/age"
# Everyone with a rating; of those with 0 the nearest in age, of the same sex, without going back
"$python" - "$oasis/subjects.csv" >"$out/matched.csv" <<'PYTHON'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["cdr"] and r["split"] == "train"]
patients = sorted((r for r in rows if float(r["cdr"]) > 0), key=lambda r: r["id"])
controls = [r for r in rows if float(r["cdr"]) == 0]
print("id,age,sex,etiv,dementia")
for patient in patients:
    same = [c for c in controls if c["sex"] == patient["sex"] and abs(int(c["age"]) - int(patient["age"])) <= 5]
    if not same:
        continue
    control = min(same, key=lambda c: (abs(int(c["age"]) - int(patient["age"])), c["id"]))
    controls.remove(control)
    for row, group in ((patient, "yes"), (control, "no")):
        print(",".join([row["id"], row["age"], row["sex"], row["etiv"], group]))
PYTHON
"$aladdin" stats "$out/run" --covariates "$out/matched.csv" --model 'dementia + age + sex + etiv' --test dementia \
  "${common[@]}" -o "$out/dementia"
