export OMP_WAIT_POLICY=passive
synth() { aladdin synth --size 28,34,34 --spacing 4,4,4 --threads 1 -q "$@"; }
build() {
  aladdin build "$1" -o "$2" --spacing 6 --set train.engine=learn --epochs 1,1,1 --set network.width=2 --set network.depth=2 --threads 1 "${@:3}"
}
synth -o knees --subjects 3 --val 0 --test 0
knees=knees/cohort.csv
head -2 "$knees" >knees/one.csv
{ cat knees/one.csv; sed -n '2s/^knee001/twin/p' "$knees"; } >knees/alike.csv
make_image image a.nii
make_image constant constant.nii
make_image nan nan.nii
make_image image-2d flat.nii
# A cohort of knees and one more image, without labels.
with() { { echo id,image; sed -n 's/^\(knee[0-9]*\),\([^,]*\),.*/\1,knees\/\2/p' "$knees"; echo "odd,$1"; } >"with_$1.csv"; }

# Settings and flags
expect_fail 2 "did you mean 'train.rate'" build "$knees" x --set train.rat=1e-4
expect_fail 2 'train.rate' build "$knees" x --rate fast
expect_fail 2 'train.rate is -1.0, expected' build "$knees" x --rate -1
expect_fail 2 'expected a number for each stage' build "$knees" x --set train.epochs=3,3
expect_fail 2 'pairs need a batch of at least 2' build "$knees" x --batch 1
expect_fail 2 "did you mean 'lncc'" build "$knees" x --similarity lnc
expect_fail 2 "did you mean '--preset'" build "$knees" x --prest fast
expect_fail 2 '--output' aladdin build "$knees"
expect_fail 2 'give one of them' build "$knees" x --resume --force
expect_fail 2 "there is no device 'cuda' here" build "$knees" x --device cuda
expect_fail 2 "there is no device 'fridge' here" build "$knees" x --device fridge
echo 'train = 3' >bad.toml
expect_fail 2 'bad.toml' build "$knees" x --config bad.toml
expect_fail 1 "no such file: 'missing.toml'" build "$knees" x --config missing.toml
expect_fail 1 "no such file: 'missing.nii'" build "$knees" x --init missing.nii
expect_fail 1 'is 2-D, but the cohort is 3-D' build "$knees" x --init flat.nii

# The cohort
expect_fail 1 'missing.csv' build missing.csv x
expect_fail 1 'has one subject for training, expected at least 2' build knees/one.csv x
expect_fail 1 'all 2 training images' build knees/alike.csv x
with constant.nii
expect_fail 1 "'constant.nii' is constant" build with_constant.nii.csv x
with nan.nii
expect_fail 1 'has 1 values that are NaN or infinite' build with_nan.nii.csv x
with flat.nii
expect_fail 1 '2-D' build with_flat.nii.csv x
cp "$knees" knees/other_labels.csv
aladdin warp knees/labels/knee001.nii.gz --transform identity --like a.nii -o knees/labels/small.nii.gz
sed -i 's/labels\/knee001/labels\/small/' knees/other_labels.csv
expect_fail 1 'small.nii.gz' build knees/other_labels.csv x
sed 's/,labels\/[^,]*//; s/,label//' "$knees" >knees/bare.csv
expect_fail 2 'loss.supervise is 1, but none of the training subjects' build knees/bare.csv x --supervise
sed 's/,train/,test/' "$knees" >knees/test.csv
expect_fail 1 'has no subject for training' build knees/test.csv x

# Where it is to go
: >file
expect_fail 1 "cannot be made" build "$knees" file
expect_fail 1 "cannot be made" build "$knees" file/below/run
mkdir foreign
echo mine >foreign/notes.txt
for flag in '' --resume --force; do
  expect_fail 1 "'foreign' is not empty and is not a run directory" build "$knees" foreign $flag
done
mkdir locked
chmod 555 locked
if [[ -w locked ]]; then
  echo 'SKIPPED: a folder without the right to write (this is root)'
else
  expect_fail 1 'cannot be written to' build "$knees" locked/run
fi

# A run that is there
expect_ok build "$knees" run
expect_fail 1 "'run' already holds a run" build "$knees" run
expect_fail 2 'belongs to a training with other settings or another cohort' build "$knees" run --resume --rate 1e-5
expect_fail 2 'belongs to a training with other settings or another cohort' build knees/bare.csv run --resume
cp -r run damaged
for file in damaged/checkpoints/*; do printf 'cut' >"$file"; done
sed -i 's/"state": "done"/"state": "training"/' damaged/run.json
expect_fail 1 'no checkpoint in' build "$knees" damaged --resume
cp -r run future
sed -i 's/"version": 1/"version": 7/' future/run.json
for flag in '' --resume --force; do
  expect_fail 1 "" build "$knees" future $flag
done
expect_fail 1 'of version 7, expected 1' build "$knees" future --resume
cp -r run broken
echo '{' >broken/run.json
expect_fail 1 'is not JSON, or it is damaged' build "$knees" broken --resume

# One process at a time
sed -i 's/"state": "done"/"state": "training"/' run/run.json
exec 9>run/.lock
flock -n 9
expect_fail 1 "another process is building in 'run'" build "$knees" run --resume
exec 9>&-

# No space left: what there is stays whole
mkdir small
if mount -t tmpfs -o size=300k tmpfs small 2>/dev/null; then
  run_case build "$knees" small/run
  (( status == 1 )) || complain "exit code $status, expected 1" build
  [[ $(grep -c '^error:' "$folder/talk/err") == 1 ]] || complain 'expected one error line' build
  grep -q 'No space left' "$folder/talk/err" || complain 'the error does not say why' build
  ! find small -name '.*.nii.gz' -o -name '.*.safetensors' | grep -q . || complain 'half a file is left' build
  umount small
else
  echo 'SKIPPED: no space left (no right to mount a tmpfs)'
fi

# What is written stays in the run directory, whatever ids and links say
for id in ../escape a/b .hidden '..'; do
  { head -1 "$knees"; sed -n "2s|^knee001|$id|p; 3,\$p" "$knees"; } >knees/escape.csv
  expect_fail 1 'cannot be used in file names' build knees/escape.csv x
done
mkdir elsewhere
for name in transforms checkpoints warped log.txt run.json .lock; do
  mkdir linked
  ln -s ../elsewhere "linked/$name"
  expect_fail 1 'is a symbolic link' build "$knees" linked
  rm -r linked
done
sed -i 's/"state": "training"/"state": "done"/' run/run.json
cp -r run linked
rm -r linked/transforms
ln -s ../elsewhere linked/transforms
expect_fail 1 'is a symbolic link' build "$knees" linked --force
[[ -z $(ls elsewhere) ]] || complain 'something was written elsewhere' build
sed 's/"id": "knee001"/"id": "..\/..\/knee001"/' -i linked/run.json
expect_fail 1 'that aladdin build did not write' aladdin evaluate linked --split all
