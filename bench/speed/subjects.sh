#!/usr/bin/env bash
# What a subject costs in cohorts of 20, 200 and 2,000: time and peak memory of a whole 'aladdin build' (read, check,
# one epoch of training, publish), and of 'aladdin register' of all of them.
#
#   bench/speed/subjects.sh [OUT] [SUBJECTS…]      subjects.md in OUT (default: subjects)
#
# The names are many, the files those of 20 synthetic knees; on a coarse grid, so that what is counted is the subject, not its
# voxels.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${ALADDIN_BIN:-$root/build/release/bin}
python=${PYTHON:-python3}
out=${1:-subjects}
counts=("${@:2}")
(( ${#counts[@]} )) || counts=(20 200 2000)
[[ -x $bin/aladdin ]] || { echo "error: $bin/aladdin is not there: ./run build" >&2; exit 1; }
mkdir -p "$out"
[[ -e $out/knees/cohort.csv ]] ||
  "$bin/aladdin" synth -o "$out/knees" --subjects 20 --val 0 --test 0 --size 32,48,48 --spacing 3.5,3,3 --seed 1 -q

# measured COMMAND…: "seconds megabytes"
measured() {
  "$python" - "$@" <<'PYTHON'
import resource, subprocess, sys, time
start = time.time()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(f"{time.time() - start:.1f} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f}")
PYTHON
}

{
  echo "| subjects | build | a subject | peak memory | register | an image | peak memory |"
  echo "|---:|---:|---:|---:|---:|---:|---:|"
} | tee "$out/subjects.md"
for n in "${counts[@]}"; do
  rm -rf "$out/links" "$out/run" "$out/registered"
  mkdir "$out/links"
  knees=("$out"/knees/images/*.nii.gz)
  for (( i = 0; i < n; ++i )); do
    ln -s "$(realpath "${knees[i % ${#knees[@]}]}")" "$out/links/$(printf 'knee%05d.nii.gz' "$i")"
  done
  read -r build_s build_mb < <(measured "$bin/aladdin" build "$out/links" -o "$out/run" --preset fast --engine learn \
    --spacing 7 --pyramid off --epochs 1 --refine 0 --set train.least=1 --no-report -q)
  read -r register_s register_mb < <(measured "$bin/aladdin" register "$out/run" "$out"/links/*.nii.gz -o "$out/registered" -q)
  "$python" -c "
n, b, bm, r, rm = $n, $build_s, $build_mb, $register_s, $register_mb
print(f'| {n:,} | {b:.0f} s | {1e3 * b / n:.0f} ms | {bm} MB | {r:.1f} s | {1e3 * r / n:.0f} ms | {rm} MB |')" |
    tee -a "$out/subjects.md"
done
rm -rf "$out/links" "$out/run" "$out/registered"
