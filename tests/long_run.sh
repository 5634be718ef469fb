# long_run.sh ALADDIN [STEPS]: a training of STEPS steps (5,000) of a small 2-D cohort, with validations, updates of
# the atlas and checkpoints all along. Memory, open files and threads are looked at all the time: the table says
# what they were, and the script ends with 1 if they grow.
set -euo pipefail
aladdin=$1
steps=${2:-5000}
most_growth_percent=3  # of the resident memory, from a fifth of the steps to the end

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
die() { echo "FAILED: $*"; tail -5 talk; exit 1; }

"$aladdin" synth -o knees --slice --subjects 10 --val 2 --test 0 --size 32,48,48 --spacing 4,3,3 -q --threads 1
# Eight subjects in batches of two: four steps an epoch. The coarse stages are short, since a stage has a memory of
# its own.
epochs=$((steps / 4))
"$aladdin" build knees/cohort.csv -o run --epochs "1,1,$epochs" --batch 2 --set network.width=4 --set train.least=1 \
  --set atlas.every=20 --set train.validate_every=20 --set train.checkpoint_minutes=0.1 --threads 1 -q >said 2>talk &
program=$!

samples=()
begin=$SECONDS
while kill -0 "$program" 2>/dev/null; do
  sleep 1
  step=$(tail -n 1 run/metrics.csv 2>/dev/null | cut -d, -f2) || continue
  [[ $step =~ ^[0-9]+$ ]] || continue
  memory=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$program/status" 2>/dev/null) || break
  files=$(ls "/proc/$program/fd" 2>/dev/null | wc -l)
  threads=$(sed -n 's/^Threads:[^0-9]*//p' "/proc/$program/status" 2>/dev/null) || break
  [[ -n $memory && $files -gt 0 ]] || break
  grep -q '"state": "training"' run/run.json || break  # publishing has a memory of its own
  samples+=("$step $((SECONDS - begin)) $memory $files ${threads:-0} $(stat -c %s run/log.txt run/metrics.csv | paste -sd ' ')")
done
wait "$program" || die "exit code $?"
((${#samples[@]} >= 10)) || die "only ${#samples[@]} samples: the training was too short"

printf '%s\n' "${samples[@]}" | awk -v steps="$steps" -v most="$most_growth_percent" '
  BEGIN { print "| step | seconds | resident MB | open files | threads | log.txt kB | metrics.csv kB |\n|---|---|---|---|---|---|---|" }
  {
    if ($1 >= wanted || NR == 1) {
      row($0)
      while (wanted <= $1) wanted += steps / 10
    }
    last = $0
    # Open files come and go with each checkpoint; the fewest of a fifth of the run do not.
    part = int(5 * $1 / (steps + 1))
    if (!(part in fewest) || $4 < fewest[part]) fewest[part] = $4
    if (part == 1 && (!first || $3 > first)) first = $3
    if (part == 4 && $3 > final) final = $3
    if ($4 > most_files) most_files = $4
  }
  function row(line, f) {
    split(line, f, " ")
    printf "| %d | %d | %.1f | %d | %d | %.1f | %.1f |\n", f[1], f[2], f[3] / 1024, f[4], f[5], f[6] / 1024, f[7] / 1024
  }
  END {
    row(last)
    split(last, f, " ")
    growth = 100 * (final - first) / first
    printf "%d samples; from the second fifth to the last: memory %+.1f %%, open files %+d\n", NR, growth, fewest[4] - fewest[1]
    printf "a day at this speed, %.0f steps: log.txt %.1f MB, metrics.csv %.1f MB\n", 86400 * f[1] / f[2], 86400 * f[6] / f[2] / 1e6, 86400 * f[7] / f[2] / 1e6
    if (!first || !final) { print "FAILED: the training was not seen from its second fifth to its last"; exit 1 }
    if (growth > most) { print "FAILED: memory grows"; exit 1 }
    if (fewest[4] > fewest[1]) { print "FAILED: open files grow"; exit 1 }
  }'
