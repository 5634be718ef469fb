# For faults.sh: a cohort, a build that was left alone, and what must hold after every fault.
set -euo pipefail

folder=$(mktemp -d)
mounted=()
finish() {
  local status=$?
  for point in "${mounted[@]}"; do umount "$point" 2>/dev/null || true; done
  rm -rf "$folder"
  exit "$status"
}
trap finish EXIT
cd "$folder"
export OMP_WAIT_POLICY=passive

die() { echo "FAILED: $*"; [[ -s talk ]] && tail -20 talk; exit 1; }
now_ms() { echo $(($(date +%s%N) / 1000000)); }
# A random number below $1.
random() { echo $(((RANDOM * 32768 + RANDOM) % $1)); }
nap() { sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"; }

# The same words every time, since run.json keeps them; --resume starts where nothing is there.
build=("$aladdin" build knees/cohort.csv -o run --spacing 6 --epochs 3,3,5 --set network.width=4
  --set train.least=1 --set atlas.every=2 --set train.validate_every=2 --set train.checkpoint_minutes=0.005
  --threads 1 --warped --resume -q)
register=("$aladdin" register alone knees/images/knee00{1..6}.nii.gz -o out --force --threads 1 --json)
evaluate=("$aladdin" evaluate alone --split all --csv figures.csv --force --threads 1)

# All but the story of a run: its log, its checkpoints, its timing and the page that has it.
listing() (
  cd "$1"
  find . -type f ! -name log.txt ! -name report.html ! -path './checkpoints/*' ! -name '.*' | LC_ALL=C sort | while read -r file; do
    if [[ $file == ./run.json ]]; then
      echo "$(sed '/"timing": {/,/}/d' run.json | md5sum) $file"
    else
      md5sum "$file"
    fi
  done
)

# Everything that is published is whole, however far the run has come.
require_whole() {
  local file name
  [[ -d $1 ]] || return 0
  while read -r file; do
    name=${file#"$1"/}
    case $name in
      checkpoints/* | log.txt | report.html) ;;  # a damaged checkpoint would be reported below
      run.json) [[ $(tail -c 2 "$file") == '}' ]] || die "half of $name" ;;
      metrics.csv) cmp -sn "$(stat -c %s "$file")" "$file" "alone/$name" || die "half of $name" ;;
      *) cmp -s "$file" "$2/$name" || die "$name is not whole" ;;
    esac
  done < <(find "$1" -type f ! -name '.*')
}

# The same command again, to its end: nothing was damaged, all is as if nothing had happened.
require_recovery() {
  "${build[@]}" 2>talk || die "exit code $? of --resume after $1"
  ! grep -q 'damaged' talk || die "a damaged file after $1"
  [[ -z $(find run -name '.?*' ! -name .lock) ]] || die "$(find run -name '.?*' ! -name .lock) is left after $1"
  diff <(listing alone) <(listing run) || die "the files above differ after $1"
  rm -rf run
}

# start COMMAND…: in the background, where bash would have it ignore SIGINT; its process is $process.
start() { env --default-signal=INT,TERM "$@" >said 2>talk & process=$!; }
# Waits for it; its exit code is in $status.
ended() { status=0; wait "$process" 2>/dev/null || status=$?; }

table=()
row() { table+=("| $1 | $2 | $3 |"); echo "$1: $2 times, $3"; }

"$aladdin" synth -o knees --subjects 6 --val 2 --test 0 --size 28,34,34 --spacing 4,4,4 -q --threads 1
begin=$(now_ms)
"${build[@]}" 2>talk
build_ms=$(($(now_ms) - begin))
mv run alone
begin=$(now_ms)
"${register[@]}" >registered.json 2>talk
register_ms=$(($(now_ms) - begin))
mv out alone_out
begin=$(now_ms)
"${evaluate[@]}" >table.txt 2>talk
evaluate_ms=$(($(now_ms) - begin))
mv figures.csv alone.csv
echo "undisturbed: build $build_ms ms, register $register_ms ms, evaluate $evaluate_ms ms"
