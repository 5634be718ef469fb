# Sourced by the scripts of this folder: where the program is, and the study they use.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
aladdin=${ALADDIN_BIN:-$root/build/release/bin}/aladdin
python=${PYTHON:-/usr/bin/python3}
oasis=${OASIS:-$root/../shared/data/oasis2d}
here=$root/bench/condition
export OMP_WAIT_POLICY=passive
[[ -x $aladdin ]] || { echo "error: $aladdin is not there: ./run build" >&2; exit 1; }

# run_of OUT: builds the run of oasis2d in OUT/run unless it is there
run_of() {
  mkdir -p "$1"
  [[ -e $1/run/atlas.nii.gz ]] ||
    "$aladdin" build "$oasis/subjects.csv" --engine optimise --no-report -q -o "$1/run"
}
