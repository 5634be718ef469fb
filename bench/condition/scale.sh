#!/usr/bin/env bash
# scale.sh RUN OUT: time and peak memory of one atlas of RUN, and of the same subjects repeated up to 10,000 (needs the package
# `time`). COVARIATE is a number among the covariates of RUN, VALUE where the atlas is.
set -euo pipefail
source "$(dirname "$0")/common.sh"
run=${1:?usage: scale.sh RUN OUT} out=${2:?usage: scale.sh RUN OUT}
question=(${COVARIATE:+--at $COVARIATE=$VALUE})
mkdir -p "$out"
measure() {
  /usr/bin/time -f "$1: %e s, %U + %S s of CPU, %M kB" "$aladdin" atlas "$2" "${question[@]}" -o "$out/atlas" --force -q >/dev/null
}
measure "the run" "$run"
for count in 1000 10000; do
  rm -rf "$out/repeated"
  "$python" "$here/repeat.py" "$run" "$out/repeated" $count
  measure "$count subjects" "$out/repeated"
done
