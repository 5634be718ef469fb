#!/usr/bin/env bash
# areas.sh OUT: areas of ventricles, cortex and white matter in the atlases of a sweep over age, against a local linear
# regression of the subjects' own areas (../shared/data/oasis2d).
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:?usage: areas.sh OUT}
run_of "$out"
"$aladdin" atlas "$out/run" --sweep age=20:90:10 -o "$out/ages" --force
"$python" "$here/areas.py" "$out/ages/volumes.csv"
