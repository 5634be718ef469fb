#!/usr/bin/env bash
# bench/table/run.sh knees|hippocampus [OUT [MINUTES]]: the paper's table, MINUTES of training for each line.
# Goes on where it was stopped. The results that were kept are in bench/table/results.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
study=${1:?knees or hippocampus}
out=${2:-build/table-$study}
minutes=${3:-2}
aladdin=build/release/bin/aladdin
export OMP_WAIT_POLICY=passive
# The paper's rate of 1e-4 is for 500 epochs. Demons: as many iterations each round as such a budget allows.
flags=(--budget "$minutes" --set E,F,G,H,I,J,K:train.rate=1e-3 --set C,D:demons.iterations=50 --set L:train.refine=20)
case $study in
  knees)
    [[ -e $out/cohort/cohort.csv ]] ||
      "$aladdin" synth -o "$out/cohort" --subjects 90 --val 10 --test 20 --size 40,96,96 --spacing 2.8,1.46,1.46 --seed 11
    "$aladdin" compare "$out/cohort/cohort.csv" -o "$out/table" --group bone=1,3 --group cartilage=2,4 "${flags[@]}" "${@:4}" ;;
  hippocampus)
    [[ -e ../shared/data/hippocampus/subjects.csv ]] || { echo "error: ../shared/data/hippocampus is not there" >&2; exit 1; }
    "$aladdin" compare ../shared/data/hippocampus/subjects.csv -o "$out/table" --split val "${flags[@]}" "${@:4}" ;;
  *) echo "error: '$study' is neither knees nor hippocampus" >&2; exit 2 ;;
esac
