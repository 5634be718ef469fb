# same_bits.sh ALADDIN [NAME…]: one tiny run of every preset, and of what no preset has, in 2-D and in 3-D, and the
# hashes of what it wrote: settings, atlas, weights and transforms. A change that is meant to change no figure
# prints the same list before and after:
#
#   bash tests/same_bits.sh build/release/bin/aladdin >before   # about two minutes
#
# The settings are hashed without their comments, and of a model file only the tensors.
set -euo pipefail
aladdin=$(realpath "$1")
only=("${@:2}")
export OMP_WAIT_POLICY=passive
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$aladdin" synth -q -o 2d --slice --subjects 4 --val 1 --test 0 --size 32,36,36 --spacing 4,4,4
"$aladdin" synth -q -o 3d --subjects 4 --val 1 --test 0 --size 24,32,32 --spacing 4,4,4

short() { sha256sum | cut -c1-16; }
# The tensors of a safetensors file: what follows its header.
tensors() { tail -c +"$(( $(od -An -tu8 -N8 "$1") + 9 ))" "$1"; }

# run NAME FLAG…: in both dimensions.
run() {
  local name=$1 cohort
  (( ${#only[@]} == 0 )) || [[ " ${only[*]} " == *" $name "* ]] || return 0
  for cohort in 2d 3d; do
    if ! "$aladdin" build "$cohort/cohort.csv" -o run --force --no-report -q "${@:2}" \
      --set network.width=2 --set demons.iterations=4 --set optimise.iterations=3 2>talk; then
      printf '%-20s %s failed: %s\n' "$name" "$cohort" "$(grep '^error:' talk)"
      continue
    fi
    printf '%-20s %s settings %s atlas %s model %s transforms %s\n' "$name" "$cohort" \
      "$(sed 's/ *#.*//' run/config.toml | short)" \
      "$(cat run/atlas*.nii.gz | short)" "$(tensors run/model.safetensors | short)" \
      "$(find run/transforms -type f | LC_ALL=C sort | xargs cat | short)"
  done
}

run default --epochs 2,1,1
run default_learn --epochs 1,1,1 --engine learn --refine 3 --set train.least=4
run fast --preset fast --epochs 3,2,2
for preset in paper reference voxelmorph he dalca; do run $preset --preset $preset --epochs 2; done
for preset in none affine joshi; do run $preset --preset $preset; done
run absorb --preset absorb --set demons.levels=2 --epochs 4
run forward --preset voxelmorph --set network.flow=atlas --atlas forward --epochs 2
run affine_dalca --preset dalca --affine --gamma1 0.2 --gamma2 0.5 --epochs 2
run learned_ncc --preset paper --atlas learned --similarity ncc --gamma1 1 --epochs 2
run fixed --preset paper --atlas fixed --init medoid --epochs 2
run mi --epochs 1,1,1 --similarity mi --set loss.bins=8 --set loss.regulariser=gradient --supervise
run velocity --epochs 1,1,1 --similarity ncc --set loss.regulariser=velocity --atlas backward
run constant --preset paper --set train.schedule=constant --set train.batch=3 --set train.affine=true --epochs 1
