# evaluate_scale.sh ALADDIN [SUBJECTS…]: time and peak memory of `aladdin evaluate` at 48 x 64 x 48 with 4 labels, for
# 250, 500 and 1,000 subjects. Fifty knees are made, and each stands for several subjects under other names: the
# program reads and measures every one anew.
set -euo pipefail
aladdin=$1
shift
(($#)) || set -- 250 500 1000
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
made=50
"$aladdin" synth -o knees --subjects $made --val 0 --test 0 --size 48,64,48 --spacing 3,3,3 --seed 1 -q
printf '%8s %10s %12s %12s\n' subjects seconds 'ms/subject' 'peak MB'
for subjects in "$@"; do
  rm -rf set
  mkdir set
  for ((s = 0; s < subjects; ++s)); do
    knee=$(printf 'knee%03d' $((s % made + 1)))
    id=$(printf 's%05d' "$s")
    ln "knees/labels/$knee.nii.gz" "set/$id-labels.nii.gz"
    for way in native_to-atlas atlas_to-native; do
      ln "knees/transforms/${knee}_from-${way}_mode-image_xfm.nii.gz" "set/$id-$way.nii.gz"
    done
  done
  /usr/bin/env time -f '%e %M' -o cost "$aladdin" evaluate --labels 'set/{id}-labels.nii.gz' \
    --to-atlas 'set/{id}-native_to-atlas.nii.gz' --to-native 'set/{id}-atlas_to-native.nii.gz' -q >table.txt
  read -r seconds kilobytes <cost
  awk -v n="$subjects" -v s="$seconds" -v k="$kilobytes" \
    'BEGIN { printf "%8d %10.1f %12.1f %12.0f\n", n, s, 1000 * s / n, k / 1024 }'
done
