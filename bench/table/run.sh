#!/usr/bin/env bash
# bench/table/run.sh knees|hippocampus [OUT [EPOCHS]]: the paper's table, EPOCHS rounds through the training subjects for
# each network. Goes on where it was stopped; METHODS=A,B,J runs these lines only. What was found is in bench/table/*.md
# and docs/results.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
study=${1:?knees or hippocampus}
out=${2:-build/table-$study}
epochs=${3:-$([[ $study == knees ]] && echo 36 || echo 12)}  # 12 are too few for the 60 knees: networks stay near the identity
aladdin=build/release/bin/aladdin
export OMP_WAIT_POLICY=passive
# So that minutes suffice where the paper has days: a working grid of half the resolution for all (FINE=1: that of the
# images); half the channels and the velocity at half resolution for every network of rows E to K, ten times the rate
# (the paper's 1e-4 is for 500 epochs); 50 iterations of demons a round, 25 for ABSORB on the 160 hippocampi.
networks=E,F,G,H,I,J,K
flags=(--set $networks:train.epochs="$epochs" --set L:train.epochs="$epochs,$epochs,$((epochs / 2))"
       --set $networks:network.width=8 --set $networks:network.velocity_scale=2 --set $networks:train.rate=1e-3
       --set $networks:atlas.every=3 --set C:demons.iterations=50)
[[ -n ${FINE:-} ]] || flags+=(--downsample 2)
flags+=(--methods "${METHODS:-all}")
case $study in
  knees)
    [[ -e $out/cohort/cohort.csv ]] ||
      "$aladdin" synth -o "$out/cohort" --subjects 90 --val 10 --test 20 --size 40,96,96 --spacing 2.8,1.46,1.46 --seed 11
    "$aladdin" compare "$out/cohort/cohort.csv" -o "$out/table" --group bone=1,3 --group cartilage=2,4 \
      --set D:demons.iterations=50 "${flags[@]}" ;;
  hippocampus)
    [[ -e ../shared/data/hippocampus/subjects.csv ]] || { echo "error: ../shared/data/hippocampus is not there" >&2; exit 1; }
    "$aladdin" compare ../shared/data/hippocampus/subjects.csv -o "$out/table" --split val \
      --set D:demons.iterations=25 "${flags[@]}" ;;
  *) echo "error: '$study' is neither knees nor hippocampus" >&2; exit 2 ;;
esac
