#!/bin/sh
# One step of `--preset reference` against the published formulas in plain PyTorch (README.md beside bench/).
# Prints a table; fails if anything differs by more than 1e-4.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
step=${1:-$here/../../build/release/bin/aladdin_reference_step}
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import torch, numpy' 2>/dev/null || {
  echo "$python has no torch: apt-get install --no-install-recommends python3-torch python3-numpy" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
for flow in 1 0.1; do
  for similarity in mse ncc; do
    for size in 32,48,32 48,16,80; do
      "$step" write "$folder/in" --size "$size" --similarity "$similarity" --flow "$flow"
      "$python" "$here/reference_step.py" "$folder/in" "$folder/out"
      "$step" compare "$folder/in" "$folder/out" || failed=1
    done
  done
done
"$step" write "$folder/in" --size 32,32,16 --batch 4 --seed 2
"$python" "$here/reference_step.py" "$folder/in" "$folder/out"
"$step" compare "$folder/in" "$folder/out" || failed=1
exit $failed
