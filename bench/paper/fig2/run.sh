#!/bin/sh
# Fig. 2 of the paper: how much an image-to-image and an atlas-to-image comparison notice a small error of a
# deformation. One command, after ./run build:
#
#   bench/paper/fig2/run.sh [OUT]        fig2.csv, fig2.svg, fig2.txt in OUT (default: fig2)
#
# On synthetic knees with their true transforms and, where ../shared/data/hippocampus is there, on hippocampi
# with an atlas and a network that are built for it first (HIPPOCAMPUS=RUN takes a run that exists).
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
bin=${ALADDIN_BIN:-$root/build/release/bin}
out=${1:-fig2}
[ -x "$bin/aladdin_fig2" ] || { echo "error: $bin/aladdin_fig2 is not there: ./run build" >&2; exit 1; }
mkdir -p "$out"

[ -e "$out/knees/cohort.csv" ] ||
  "$bin/aladdin" synth -o "$out/knees" --subjects "${KNEES:-12}" --seed 1 --force
set -- "$out/knees"

data=$root/../shared/data/hippocampus/subjects.csv
if [ -n "${HIPPOCAMPUS:-}" ]; then
  set -- "$@" "$HIPPOCAMPUS"
elif [ -e "$data" ]; then
  # Interrupted runs go on; finished ones are kept.
  if [ ! -e "$out/hippocampus/run.json" ]; then
    "$bin/aladdin" build "$data" -o "$out/hippocampus" --preset "${PRESET:-fast}"
  elif ! grep -q '"state": *"done"' "$out/hippocampus/run.json"; then
    "$bin/aladdin" build "$data" -o "$out/hippocampus" --preset "${PRESET:-fast}" --resume
  fi
  set -- "$@" "$out/hippocampus"
else
  echo "hippocampus is left out: $data is not there" >&2
fi
"$bin/aladdin_fig2" -o "$out" "$@"
