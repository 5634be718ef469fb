#!/usr/bin/env bash
# Accuracy against time on ../shared/data/hippocampus: bridge Dice on the validation subjects after so many
# minutes, ours with the default settings, and the published training in plain PyTorch (train_peer.py).
#
#   bench/speed/accuracy.sh MINUTES [OUT]      accuracy.csv, accuracy.svg, accuracy.md in OUT (default: accuracy)
#
# Ours is built anew for 1/20 and 1/10 of the time, with three seeds; its time is that of the whole command: reading,
# training, registering all subjects, writing. Without refinement when it publishes: the network alone, as PyTorch has it.
# PyTorch trains once, all of the time, and is measured on the way; its time is that of the training alone. A step's time is
# that of the training by its steps, with the atlas updates and, of ours, the validations. One after the other: nothing
# else should run meanwhile. What is done is kept.
set -euo pipefail
[[ ${1:-} =~ ^[0-9]+$ ]] || { echo "usage: bench/speed/accuracy.sh MINUTES [OUT]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${ALADDIN_BIN:-$root/build/release/bin}
python=${PYTHON:-/usr/bin/python3}
data=${COHORT:-$root/../shared/data/hippocampus/subjects.csv}
minutes=$1 out=${2:-accuracy}
[[ -x $bin/aladdin && -x $bin/aladdin_speed ]] || { echo "error: $bin has no aladdin and aladdin_speed: ./run build" >&2; exit 1; }
[[ -e $data ]] || { echo "error: $data is not there" >&2; exit 1; }
mkdir -p "$out"
table=$out/accuracy.csv

# dice WORDS…: bridge Dice of 'aladdin evaluate WORDS…'
dice() {
  "$bin/aladdin" evaluate "$@" --split val --exact --no-surfaces --json -q |
    "$python" -c 'import json, sys; print(json.load(sys.stdin)["evaluations"][0]["bridge"]["mean"]["mean"])'
}

note() { # who seconds step_seconds dice
  printf '%s,%s,%s,%s\n' "$@" | tee -a "$table"
}

quotient() { "$python" -c "print(round($1 / $2, 4))"; }

[[ -e $table ]] || echo who,seconds,step_seconds,bridge_dice >"$table"
for part in 20 10; do
  for seed in 1 2 3; do
    run=$out/ours-$part-$seed
    grep -q "^Aladdin $part/$seed," "$table" 2>/dev/null && continue
    rm -rf "$run"
    start=$EPOCHREALTIME
    "$bin/aladdin" build "$data" -o "$run" --minutes "$(quotient "$minutes" "$part")" --seed "$seed" --refine 0 --no-report -q
    seconds=$("$python" -c "print(round($EPOCHREALTIME - $start, 1))")
    steps=$(tail -n 1 "$run/metrics.csv" | cut -d, -f2)
    note "Aladdin $part/$seed" "$seconds" "$(quotient "60 * $minutes / $part" "$steps")" "$(dice "$run")"
  done
done
if "$python" -c 'import torch, nibabel' 2>/dev/null; then
  if ! grep -q '^PyTorch,' "$table"; then
    # Measured once it has ended: it should not have to share the cores.
    mapfile -t marks < <("$python" "$root/bench/speed/train_peer.py" "$data" "$out/peer" "$minutes")
    for mark in "${marks[@]}"; do
      read -r seconds steps folder <<<"$mark"
      note PyTorch "$seconds" "$(quotient "$seconds" "$steps")" \
        "$(dice --cohort "$data" --to-atlas "$folder/{id}_to-atlas.nii.gz" --to-native "$folder/{id}_to-native.nii.gz")"
    done
  fi
else
  echo "$python has no torch or no nibabel: only ours is measured" >&2
fi
"$bin/aladdin_speed" --accuracy "$table" --out "$out"
