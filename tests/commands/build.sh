export OMP_WAIT_POLICY=passive
to_atlas=_from-native_to-atlas_mode-image_xfm.nii.gz
to_native=_from-atlas_to-native_mode-image_xfm.nii.gz
synth() { aladdin synth --subjects 6 --val 2 --test 1 --size 28,34,34 --spacing 4,4,4 --threads 1 -q "$@"; }
# A build of a moment.
build() {
  aladdin build "$1" -o "$2" --spacing 6 --set train.engine=learn --set train.refine=0 --set train.teach=0 --epochs 2,2,1 --set network.width=4 \
    --set network.passes=[4,2,1] --set train.least=1 --set atlas.every=1 --threads 1 "${@:3}"
}
same() { cmp "$1" "$2" || complain "$1 and $2 differ" build; }

synth -o knees
synth -o slices --slice
synth -o new --seed 9

# Every file of the run directory, and no other
expect_ok build knees/cohort.csv run --warped
for file in atlas atlas_labels atlas_probabilities atlas_variability; do
  [[ -f run/$file.nii.gz ]] || complain "no $file.nii.gz" build
done
for file in model.safetensors metrics.csv subjects.csv run.json config.toml log.txt; do
  [[ -s run/$file ]] || complain "no $file" build
done
for id in knee001 knee002 knee003 knee004 knee005 knee006; do
  for file in "transforms/$id$to_atlas" "transforms/$id$to_native" "warped/$id.nii.gz" "velocities/${id}_from-native_to-atlas_mode-image_velocity.nii.gz"; do
    [[ -f run/$file ]] || complain "no $file" build
  done
done
for file in report.html evolution/epoch_000000.png evolution/epoch_000001.png; do
  [[ -s run/$file ]] || complain "no $file" build
done
[[ $(find run -type f ! -path 'run/checkpoints/*' ! -path 'run/evolution/*' | wc -l) == 36 ]] || complain 'other files as well' build
grep -q 'id="volume-0-atlas"' run/report.html || complain 'the page has no atlas' build
grep -q '"state": "done"' run/run.json || complain 'the run is not done' build
[[ $(wc -l <run/metrics.csv) == 6 ]] || complain 'metrics.csv has not a line an epoch' build
[[ $(wc -l <run/subjects.csv) == 7 ]] || complain 'subjects.csv has not a line a subject' build
cut -d, -f14 run/metrics.csv | tail -1 | grep -q '^0\.' || complain 'no bridge Dice of the val subjects' build
expect_out 'label map' aladdin info run/atlas_labels.nii.gz
expect_out '6 x 6 x 6 mm' aladdin info run/atlas.nii.gz

# Registering with the run alone gives the transforms that the build gave: by the network, by the network and
# a refinement, without a network
printf 'x,y,z\n' >points.csv
for x in -30 0 25; do for y in -40 0 45; do for z in -30 0 35; do echo "$x,$y,$z" >>points.csv; done; done; done
again() {  # run, flags of register
  mv knees away
  cp away/images/knee005.nii.gz .
  expect_ok aladdin register "$1" knee005.nii.gz -o "again_$1" "${@:2}"
  mv away knees
  for way in "$to_atlas" "$to_native"; do
    for dir in "$1" "again_$1"; do
      expect_ok aladdin warp --points points.csv --transform "$dir/transforms/knee005$way"
      cp "$folder/talk/out" "$dir.csv"
    done
    paste -d, "$1.csv" "again_$1.csv" | awk -F, 'NR > 1 { for (a = 1; a <= 3; a++) { d = $a - $(a + 3);
        if (d > 1e-3 || d < -1e-3) exit 1 } }' || complain "another transform: $1 $way" register
    ! cmp -s "$1.csv" points.csv || complain "the identity: $1 $way" build
  done
}
again run
expect_ok build knees/cohort.csv refined --set train.refine=3
again refined --refine 3
expect_ok build knees/cohort.csv optimised --set train.engine=optimise --set optimise.iterations=4
again optimised
# so it is with masks, of which those of the build are register's, too
expect_ok build knees/cohort.csv masked --masks knees/labels --set train.engine=optimise --set optimise.iterations=4
for with in masks nothing; do
  expect_ok aladdin register masked knees/images/knee005.nii.gz -o by_$with $([[ $with == nothing ]] || echo --masks knees/labels)
  if cmp -s "masked/transforms/knee005$to_atlas" "by_$with/transforms/knee005$to_atlas"; then echo same; else echo other; fi
done >masked.txt
[[ $(tr '\n' ' ' <masked.txt) == 'same other ' ]] || complain 'masks of register are not those of build' register
expect_ok aladdin build knees/cohort.csv -o chosen --spacing 6 --epochs 1,1,1 --set optimise.iterations=1 --threads 1
grep -q 'engine = "optimise"' chosen/config.toml || complain 'a small cohort is not optimised' build
tr -d ' \n' <chosen/run.json | grep -qF '"chosen":["train.engine","loss.lambda","loss.length"]' || complain 'whose choice was the engine?' build
grep -q 'chosen for this cohort' chosen/report.html || complain 'the page does not say whose choice the engine was' build
expect_ok aladdin segment optimised new/images/knee001.nii.gz -o labels_out
expect_out '"ncc_after"' aladdin register run new/images/knee001.nii.gz -o new_out --json
[[ -f new_out/labels/knee001.nii.gz ]] || complain 'no labels on a new knee' register

# The same seed makes the same bits, another does not; a finished run goes on to the same
expect_ok build knees/cohort.csv twin --warped --no-report
[[ ! -e twin/report.html && ! -e twin/evolution ]] || complain 'a report although --no-report' build
for file in atlas.nii.gz atlas_labels.nii.gz atlas_probabilities.nii.gz atlas_variability.nii.gz \
  model.safetensors metrics.csv subjects.csv config.toml "transforms/knee002$to_atlas" \
  "transforms/knee002$to_native" warped/knee002.nii.gz; do
  same "run/$file" "twin/$file"
done
expect_ok build knees/cohort.csv other --seed 2
! cmp -s run/model.safetensors other/model.safetensors || complain 'the seed changes nothing' build
expect_ok build knees/cohort.csv twin --warped --resume
same run/atlas.nii.gz twin/atlas.nii.gz
same run/model.safetensors twin/model.safetensors
same run/metrics.csv twin/metrics.csv
expect_ok build knees/cohort.csv other --force
same run/model.safetensors other/model.safetensors
[[ ! -e other/warped ]] || complain 'warped images that nobody asked for' build

# Without labels; the ways of the atlas; the paper's way; a budget of time
sed 's/,labels\/[^,]*//; s/,label//' knees/cohort.csv >knees/bare.csv
expect_ok build knees/bare.csv bare
[[ -f bare/atlas.nii.gz && ! -e bare/atlas_labels.nii.gz && ! -e bare/atlas_probabilities.nii.gz ]] ||
  complain 'labels from nowhere' build
expect_ok build knees/cohort.csv learned --atlas learned --similarity ncc --init medoid
expect_ok build knees/cohort.csv backward --atlas backward --similarity mi --init run/atlas.nii.gz --centre off
expect_ok build knees/cohort.csv supervised --supervise
cut -d, -f11 supervised/metrics.csv | tail -1 | grep -vq '^0\.000000' || complain 'no Dice term' build
expect_ok aladdin build knees/cohort.csv -o paper --preset paper --spacing 6 --epochs 1 --set network.width=4 --threads 1
expect_ok aladdin build knees/cohort.csv -o timed --spacing 6 --minutes 0.02 --set network.width=4 --threads 1

# 2-D, with the same command
expect_ok build slices/cohort.csv flat
expect_out '6 x 6 mm' aladdin info flat/atlas.nii.gz
expect_ok aladdin register flat slices/images/knee001.nii.gz -o flat_out

# A given atlas stays where it is in the world, at another spacing too; the subjects come to it
gunzip -c run/atlas.nii.gz >template.nii
for offset in 268 292; do printf '\x00\x00\xfa\x43' | dd of=template.nii bs=1 seek=$offset conv=notrunc status=none; done  # 500 mm to the right
for spacing in 6 4; do
  expect_ok aladdin build knees/cohort.csv -o fixed$spacing --init template.nii --atlas fixed --centre off --spacing $spacing \
    --epochs 1,1,1 --set optimise.iterations=1 --threads 1 --no-report
  expect_ok aladdin warp fixed$spacing/atlas.nii.gz --transform identity --like template.nii -o there.nii --force --interp linear
  ! grep -q 'falls inside the image' "$folder/talk/err" || complain "a fixed atlas is elsewhere at $spacing mm" build
done
expect_ok aladdin warp fixed6/atlas.nii.gz --transform identity --like template.nii -o there6.nii --interp linear
# the voxels of both, as numbers, differ by what 16 bits round and intensities are mapped
paste <(tail -c +353 template.nii | od -An -v -tf4 -w4) <(tail -c +353 there6.nii | od -An -v -tf4 -w4) |
  awk '{ n++; a += $1; b += $2; aa += $1 * $1; bb += $2 * $2; ab += $1 * $2 }
    END { exit !((n * ab - a * b) / sqrt((n * aa - a * a) * (n * bb - b * b)) > 0.99) }' ||
  complain 'a fixed atlas was moved' build

# A plan writes nothing
before=$(listing)
expect_ok build knees/cohort.csv planned --dry-run
grep -q 'a step  .* s at 1/4' "$folder/talk/err" || complain 'no time of a step' build
grep -q 'memory' "$folder/talk/err" || complain 'no memory' build
grep -q 'time  .* in all: .* of training, .* of publishing' "$folder/talk/err" || complain 'no time in all' build
[[ $before == "$(listing)" ]] || complain 'a dry run writes' build

# On a terminal the last line says where the training is
expect_ok script -qec "'$ALADDIN' build knees/cohort.csv -o live --spacing 6 --epochs 1,1,1 --set network.width=4 --threads 1 --no-report" typescript
grep -qE 'epoch 1, step 1/[0-9]+ .*energy [0-9.]+' typescript || complain 'no live status' build

# A network that is taught: the velocities and the atlas first, then the network; nothing of the first part stays
expect_ok build knees/cohort.csv taught --set train.teach=1
[[ $(wc -l <taught/metrics.csv) == 11 ]] || complain 'the two parts have not an epoch a line' build
[[ ! -e taught/checkpoints/teacher ]] || complain 'checkpoints of the teacher are left' build
expect_ok build knees/cohort.csv again --set train.teach=1
same taught/atlas.nii.gz again/atlas.nii.gz
same taught/model.safetensors again/model.safetensors
