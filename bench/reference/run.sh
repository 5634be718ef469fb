#!/bin/sh
# One step of `--preset reference` against the published formulas in plain PyTorch (README.md beside bench/).
# Prints a table; fails if anything differs by more than 1e-4 in double.
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
# Double decides. The float lines, of the kernels that train, are shown beside what Torch's own float loses.
check() {
  "$step" write "$folder/in" "$@"
  "$python" "$here/reference_step.py" "$folder/in" "$folder/out"
  "$python" "$here/reference_step.py" "$folder/in" "$folder/single" --float
  "$step" compare "$folder/in" "$folder/out" --double || failed=1
  "$step" compare "$folder/in" "$folder/out" || true
  "$step" rounding "$folder/out" "$folder/single"
}
for similarity in mse ncc; do
  check --size 32,48,32 --similarity "$similarity"
  check --size 48,16,80 --similarity "$similarity"
  check --size 32,48,32 --similarity "$similarity" --flow 0.1
done
check --size 32,32,16 --batch 4 --seed 2
exit $failed
