#!/usr/bin/env bash
# Holds 'aladdin stats' to NumPy, SciPy and nilearn on oasis2d: t, F and p, TFCE, corrected p values.
#
#   bench/stats/agree.sh [OUT] [PERMUTATIONS]      (default: stats_agree, 2000)
#
# PYTHON names an interpreter with numpy, scipy, nibabel and nilearn:
#   python3 -m venv venv && venv/bin/pip install nilearn && PYTHON=venv/bin/python bench/stats/agree.sh
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:-stats_agree}
permutations=${2:-2000}
run_of "$out"
# A category of three levels, for F
awk -F, 'NR == 1 { print "id,era" } NR > 1 { print $1 "," ($5 < 40 ? "young" : $5 < 70 ? "middle" : "old") }' \
  "$oasis/subjects.csv" >"$out/era.csv"
"$aladdin" measure "$out/run" -o "$out/sizes" --split train --smooth 4 --maps absolute --force -q >/dev/null
common=(stats "$out/run" --split train --smooth 4 --covariates "$out/covariates.csv" --force -q)
"$python" - "$oasis/subjects.csv" "$out/era.csv" >"$out/covariates.csv" <<'PYTHON'
import csv, sys
era = {row["id"]: row["era"] for row in csv.DictReader(open(sys.argv[2]))}
print("id,age,sex,etiv,era")
for row in csv.DictReader(open(sys.argv[1])):
    print(",".join([row["id"], row["age"], row["sex"], row["etiv"], era[row["id"]]]))
PYTHON
"$aladdin" "${common[@]}" --model 'age + sex + etiv' --test age --permutations "$permutations" -o "$out/age"
"$aladdin" "${common[@]}" --model 'era + sex + etiv' --test era --permutations 0 -o "$out/era"
"$aladdin" "${common[@]}" --model 'age*sex + etiv' --test age:sex --permutations "$permutations" -o "$out/slopes"
"$python" "$here/agree.py" "$out" "$permutations"
