#!/usr/bin/env bash
# Are the corrected p values calibrated? Data sets without an effect: the maps of oasis2d as they are, the ages permuted
# among the subjects. The family-wise error is the share of data sets in which anything is found at .05; among 500 it
# is within .031 … .069 in 95 % of studies if the truth is .05.
#
#   bench/stats/null.sh [OUT] [DATA_SETS] [PERMUTATIONS] [SPLIT]      (default: stats_null, 500, 99, val: 60 subjects)
#
# Starts where it was stopped.
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:-stats_null}
sets=${2:-500}
permutations=${3:-99}
split=${4:-val}
run_of "$out"
touch "$out/p.txt"
for (( k = $(wc -l <"$out/p.txt") + 1; k <= sets; ++k )); do
  paste -d, <(awk -F, '{ print $1 "," $6 "," $8 }' "$oasis/subjects.csv") \
    <(echo age; awk -F, -v seed="$k" 'BEGIN { srand(seed) } NR > 1 { print rand() "," $5 }' "$oasis/subjects.csv" |
      sort -t, -k1,1g | cut -d, -f2) >"$out/null.csv"
  "$aladdin" stats "$out/run" --split "$split" --threads 1 --covariates "$out/null.csv" --model 'age + sex + etiv' --test age \
    --permutations "$permutations" --seed "$k" -o "$out/null" --force --json -q >"$out/null.json" 2>/dev/null
  awk -F'[:,]' '/smallest_p_fwe/ { fwe = $2 } /smallest_p_tfce/ { tfce = $2 } END { print fwe, tfce }' \
    "$out/null.json" >>"$out/p.txt"
done
awk '{ fwe += $1 <= .0500001; tfce += $2 <= .0500001 } END {
  half = 1.96 * sqrt(.05 * .95 / NR)
  printf "%d data sets: family-wise error %.3f by the maximum, %.3f by TFCE; band %.3f to %.3f\n",
    NR, fwe / NR, tfce / NR, .05 - half, .05 + half }' "$out/p.txt"
