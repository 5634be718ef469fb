# A build that is killed while it publishes goes on: nothing that was kept is made again, and the bits are the same.
export OMP_WAIT_POLICY=passive
aladdin synth --subjects 7 --val 2 --test 1 --size 28,34,34 --spacing 4,4,4 --threads 1 -q -o knees
learn=(--set train.engine=learn --set train.refine=60 --epochs 1,1,1 --batch 2 --set network.width=4
  --set network.passes=[4,2,1] --set train.least=1)
optimise=(--set train.engine=optimise --set optimise.iterations=40 --epochs 3,2,2)
words=("${learn[@]}")
store=run/checkpoints/registrations

# The same words every time, since run.json keeps them.
build() {
  "$ALADDIN" build knees/cohort.csv -o run --spacing 6 --threads 1 --warped --no-report -v --resume "${words[@]}"
}
# start [RANK SIZE]: in the background, one of so many as torchrun starts it; what it says is in RANK.talk. The program
# is the child of $process.
start() {
  local rank=${1:-0} size=${2:-1}
  : >"$rank.talk"  # at once: it is looked at before the program begins
  RANK=$rank WORLD_SIZE=$size LOCAL_RANK=$rank LOCAL_WORLD_SIZE=$size MASTER_ADDR=127.0.0.1 MASTER_PORT=$port \
    build >"$rank.talk" 2>&1 &
  process=$!
}
# What these have kept, a line each.
kept() { grep -h '^[a-z]*: knee[0-9]* is kept$' "$@" || true; }
# until_kept N PATTERN TALK…: until N such are kept; false if the build has come to its end before.
until_kept() {
  while [[ $(kept "${@:3}" 2>/dev/null | grep -c -- "$2") -lt $1 ]]; do
    kill -0 "$process" 2>/dev/null || return 1
    sleep 0.01
  done
}
# Everything that was kept, in `made` and, with the time of its file, in `files`.
note() {
  kept "$@" >>made
  [[ ! -e $store ]] || find $store -name '[!.]*.safetensors' -printf '%f %T@\n' >>files
}
# killed_after N: a build that is killed once it has kept N more; false if it came to its end.
killed_after() {
  local met=0
  start
  until_kept "$1" knee 0.talk || met=1
  pkill -9 -P "$process" || true
  wait "$process" 2>/dev/null || true
  note 0.talk
  return $met
}
afresh() { rm -rf run made files; }
# Nothing was made twice.
once() {
  [[ -z $(sort made | uniq -d) ]] || complain "made twice: $(sort made | uniq -d)" build
  [[ -z $(sort -u files | cut -d' ' -f1 | uniq -d) ]] || complain 'a file was written twice' build
}
finished() {
  expect_ok build
  note "$folder/talk/err"
  [[ ! -e $store ]] || complain 'the store is left in a finished run' build
  [[ -z $(find run -name '.?*' ! -name .lock) ]] || complain 'half a file is left' build
}
# same ALONE [FIND…]: the files of this run, all or those, have the bits of that one.
same() {
  local file
  while read -r file; do
    cmp "$1/$file" "run/$file" || complain "$file differs" build
  done < <(cd "$1" && find . -type f ! -path './checkpoints/*' ! -name log.txt ! -name run.json "${@:2}")
  [[ $# -gt 1 || $(sed '/"timing": {/,/}/d' "$1/run.json") == "$(sed '/"timing": {/,/}/d' run/run.json)" ]] ||
    complain 'run.json differs' build
}

# Killed again and again, whenever one more is kept: four training subjects twice, and three others
all=11
for engine in learn optimise; do
  declare -n chosen=$engine
  words=("${chosen[@]}")
  afresh
  finished
  [[ $(sort -u made | wc -l) == "$all" ]] || complain "$(wc -l <made) are kept, expected $all" build
  mv run "alone_$engine"
  afresh
  kills=0
  while killed_after 1 && ((++kills < 2 * all)); do :; done
  ((kills > 2)) || complain "only $kills kills met a build that publishes" build
  finished
  once
  same "alone_$engine"
done

# A finished run of which files were removed: made again from its checkpoint, to the same bits; else refused
words=("${learn[@]}")
rm -rf run && cp -r alone_learn run
rm run/atlas_labels.nii.gz run/transforms/knee003*
finished
grep -q "'run/transforms/knee003.*' is not there and is to be published again" "$folder/talk/err" ||
  complain 'it does not say what is missing' build
same alone_learn
expect_ok build
grep -q "'run' is already finished" "$folder/talk/err" || complain 'it is not finished' build
rm -r run/checkpoints run/warped
expect_fail 1 "'run/warped/knee001.nii.gz' is not there, nor a checkpoint to make it from; only a new training makes it again" build

# What the training subjects have in common is kept, and their velocities with it
words=("${learn[@]}")
afresh
killed_after 8 || complain 'not killed' build
[[ -f $(echo $store/*-centring-common.safetensors) ]] || complain 'what is common is not kept' build
[[ $(compgen -G "$store/*-centring-[0-9]*" | wc -l) == 4 ]] || complain 'the velocities are not kept' build

# Damage is said and made good, to the same bits
for file in $store/*-registering-*; do printf 'damage' | dd of="$file" bs=1 seek=900 conv=notrunc status=none; done
truncate -s -9 $store/*-centring-common.safetensors
finished
[[ $(grep -c 'damaged.*registering the subject again' "$folder/talk/err") -gt 2 ]] || complain 'damage is not said' build
same alone_learn

# What another training has left is removed; a signal stops after a subject, and --resume goes on
afresh
killed_after 2 || complain 'not killed' build
cp "$(compgen -G "$store/*-centring-*" | head -1)" $store/0123456789abcdef-centring-2.safetensors
cases=$((cases + 1))
start
until_kept 1 knee 0.talk || complain 'not stopped' build
pkill -TERM -P $process
wait $process && code=0 || code=$?
(( code == 143 )) && grep -q 'stopped after the training.*resume with: .*--resume' 0.talk ||
  { cat 0.talk; complain "exit code $code, expected 143" build; }
[[ -z $(compgen -G "$store/0123456789abcdef-*") ]] || complain 'the file of another training is left' build
note 0.talk
finished
once
same alone_learn

# Another number of processes goes on: one where two were killed; two where one had found all that is common, which
# ends with the same bits
two() {
  new_port
  start 0 2; first=$process
  start 1 2; second=$process
}
both_ended() {
  code=0
  for process in $first $second; do wait $process 2>/dev/null || code=$?; done
  note 0.talk 1.talk
}
afresh
two
until_kept 1 registering 0.talk 1.talk || complain 'two processes do not publish' build
pkill -9 -P "$first,$second"
both_ended
finished
once
afresh
killed_after 9 || complain 'not killed' build
cases=$((cases + 1))
two
both_ended
(( code == 0 )) || { cat 0.talk 1.talk; complain "exit code $code of two processes" build; }
[[ ! -e $store ]] || complain 'the store is left in a finished run' build
once
same alone_learn '(' -path './transforms/*' -o -name atlas.nii.gz -o -name model.safetensors ')'
