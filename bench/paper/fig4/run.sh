#!/bin/sh
# Fig. 4 of the paper: a fixed atlas, and the network trained against it with the energy R (similarity and
# regularity), with pairs in atlas space, and with pairs in image space. One command, after ./run build:
#
#   bench/paper/fig4/run.sh COHORT [OUT]      fig4.csv, fig4.svg, fig4.txt in OUT (default: fig4)
#
# What it runs can be changed from outside:
#
#   SEEDS="1 2 3"   ATLAS=FILE (default: that of a first run with R alone)   SPLIT=test (default: val, else all)
#   PRESET=default  EPOCHS=N,N,N (default: the preset's)   GAMMA1, GAMMA2 (default: 1 and 1; the paper: 2 and 5
#   with PRESET=paper)   MORE="--set train.validate_every=5 ..." for all runs
#
# Runs that are done are kept, one that was interrupted goes on: the command can be repeated.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
bin=${ALADDIN_BIN:-$root/build/release/bin}
[ $# -ge 1 ] || { echo "usage: $0 COHORT [OUT]" >&2; exit 2; }
cohort=$1 out=${2:-fig4}
[ -x "$bin/aladdin_fig4" ] || { echo "error: $bin/aladdin_fig4 is not there: ./run build" >&2; exit 1; }
mkdir -p "$out"

# build NAME FLAG…
build() {
  name=$1
  shift
  resume=
  if [ -e "$out/$name/run.json" ]; then
    grep -q '"state": *"done"' "$out/$name/run.json" && return 0
    resume=--resume
  fi
  # MORE and EPOCHS are words to be split.
  # shellcheck disable=SC2086
  "$bin/aladdin" build "$cohort" -o "$out/$name" --preset "${PRESET:-default}" --engine learn \
    ${EPOCHS:+--epochs $EPOCHS} ${MORE:-} "$@" $resume
}

if [ -z "${ATLAS:-}" ]; then
  build first --gamma1 0 --gamma2 0 --seed 0
  ATLAS=$out/first/atlas.nii.gz
fi

# R, A, I: the energy alone, with atlas pairs, with image pairs.
for seed in ${SEEDS:-1 2 3}; do
  for variant in R A I; do
    case $variant in
      R) weights="--gamma1 0 --gamma2 0" ;;
      A) weights="--gamma1 ${GAMMA1:-1} --gamma2 0" ;;
      I) weights="--gamma1 0 --gamma2 ${GAMMA2:-1}" ;;
    esac
    # shellcheck disable=SC2086
    build "$variant-$seed" --atlas fixed --centre off --init "$ATLAS" --seed "$seed" $weights
    "$bin/aladdin" evaluate "$out/$variant-$seed" ${SPLIT:+--split $SPLIT} --no-surfaces --force \
      --csv "$out/$variant-$seed.csv" >/dev/null
  done
done
"$bin/aladdin_fig4" "$out"
