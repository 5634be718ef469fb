# kill.sh ALADDIN [KILLS [SEED]]: a build that is killed with -9 at random moments, and resumed each
# time with the same command, ends with the same files as one that was left alone.
set -euo pipefail
aladdin=$1
kills=${2:-4}
RANDOM=${3:-7}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMP_WAIT_POLICY=passive

"$aladdin" synth -o knees --subjects 6 --val 2 --test 0 --size 28,34,34 --spacing 4,4,4 -q --threads 1
# The same words for both, since run.json keeps them; --resume starts where nothing is there.
command=("$aladdin" build knees/cohort.csv -o run --spacing 6 --epochs 4,4,6 --set network.width=4
  --set atlas.every=2 --set train.validate_every=2 --set train.checkpoint_minutes=0.005
  --threads 1 --warped --resume -q)

now() { date +%s%N; }
begin=$(now)
"${command[@]}"
length=$((($(now) - begin) / 1000000))
echo "an uninterrupted build takes $length ms"
mv run alone

struck=0
for ((k = 1; k <= kills; ++k)); do
  "${command[@]}" 2>>talk &
  process=$!
  # Early ones too: before the run directory is there, and while the first files are written.
  moment=$((50 + RANDOM * (length * 6 / 10) / 32768))
  sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
  if kill -9 "$process" 2>/dev/null; then struck=$((struck + 1)); fi
  status=0
  wait "$process" 2>/dev/null || status=$?
  [[ $status == 137 || $status == 0 ]] || { cat talk; echo "FAILED: exit code $status"; exit 1; }
  echo "kill $k after $moment ms: $(ls run/checkpoints 2>/dev/null | tail -1 || true)"
done
((2 * struck >= kills)) || { echo "FAILED: only $struck of $kills kills met a running build"; exit 1; }
"${command[@]}"

# Everything but the story of the run: its log, its checkpoints, its timing and the page that has it.
listing() {
  cd "$1"
  find . -type f ! -name log.txt ! -name report.html ! -path './checkpoints/*' | LC_ALL=C sort | while read -r file; do
    if [[ $file == ./run.json ]]; then
      echo "$(sed '/"timing": {/,/}/d' run.json | md5sum) $file"
    else
      md5sum "$file"
    fi
  done
}
diff <(listing alone) <(listing run) || { echo "FAILED: the files above differ"; exit 1; }
echo "$struck kills, $(listing run | wc -l) files, all the same"
