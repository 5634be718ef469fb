# Several processes train together, started as torchrun would.
export OMP_WAIT_POLICY=passive
aladdin synth --subjects 8 --val 2 --test 1 --size 28,34,34 --spacing 4,4,4 --threads 1 -q -o knees
: >"$folder/talk/err"
# run, then flags
build=(build knees/cohort.csv --spacing 6 --set train.engine=learn --set train.refine=0 --set train.teach=0 --epochs 3,3,3 --set network.width=4
  --set network.passes=[4,2,1] --set train.least=1 --set atlas.every=2 --threads 1 --no-report -v)

# process RANK SIZE FLAGS…: one of them; what it says is in RANK.talk.
process() {
  RANK=$1 WORLD_SIZE=$2 LOCAL_RANK=$1 LOCAL_WORLD_SIZE=$2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port \
    "$ALADDIN" "${build[@]}" "${@:3}" >"$1.talk" 2>&1
}
# together SIZE FLAGS…: all of them; status is the first that is not 0.
together() {
  local rank pids=() code
  new_port
  status=0
  for ((rank = 0; rank < $1; ++rank)); do
    process "$rank" "$@" &
    pids+=($!)
  done
  for rank in "${!pids[@]}"; do
    code=0
    wait "${pids[$rank]}" || code=$?
    (( status )) || status=$code
  done
}
energies() { sed -n 's/^step \([0-9]*\): energy \([^,]*\),.*/\1 \2/p' "$1"; }
# Every step of two trainings has the same energy, to rounding.
same_energies() {
  paste -d' ' <(energies "$1") <(energies "$2") | awk '
    { d = ($2 - $4) / $2; if (d < 0) d = -d; if (d > most) most = d; if ($1 != $3) most = 1; ++n }
    END { print n " steps, " most " apart"; exit !(n >= 9 && most < 1e-5) }'
}

# The same batch, the same training: even parts, uneven parts, more processes than subjects; terms of all kinds
trial() { # size, name, flags
  cases=$((cases + 1))
  "$ALADDIN" "${build[@]}" -o "alone_$2" "${@:3}" >alone.talk 2>&1 || complain 'alone' "$@"
  together "$1" -o "run_$2" "${@:3}"
  (( status == 0 )) || { cat ./*.talk; complain "exit code $status" "$@"; }
  same_energies alone.talk 0.talk || complain 'another training' "$@"
  same_energies alone.talk 1.talk || complain 'another training in the second process' "$@"
  [[ $(cd "alone_$2" && find . -type f ! -path '*/checkpoints/*' | sort) == $(cd "run_$2" && find . -type f ! -path '*/checkpoints/*' | sort) ]] ||
    complain 'other files' "$@"
  for table in subjects.csv metrics.csv; do  # text alike, numbers near
    paste -d, "alone_$2/$table" "run_$2/$table" | awk -F, '
      { for (i = 1; i <= NF / 2; ++i) { a = $i; b = $(i + NF / 2); d = a - b; if (d < 0) d = -d
          if (a != b && !(a + 0 == a && d <= 2e-3 * (1 + (a < 0 ? -a : a)))) { print a, b; exit 1 } } }' ||
      complain "another $table" "$@"
  done
}
# A small rate where rounding, which differs with the parts of a batch, would grow too fast.
trial 2 pairs --batch 2
trial 2 uneven --batch 3 --gamma1 0.5 --similarity mse --rate 2e-4
trial 4 idle --batch 7 --set train.least=9 --atlas learned --init medoid --rate 2e-4
trial 2 labels --batch 2 --supervise --rate 2e-4
trial 2 published --batch 4 --set loss.published=true --set network.published=true --similarity mse --velocity-scale 1 --set network.passes=[1] --pyramid off --set train.epochs=10 --rate 2e-4
[[ $(wc -l <1.talk) -gt 9 ]] || complain 'the second process says nothing with -v' build
grep -q '"processes": 2' run_pairs/run.json || complain 'run.json does not say how many processes' build

# Wrong use: one sentence everywhere, nothing written
refused() { # size, text, flags
  cases=$((cases + 1))
  together "$1" -o refused "${@:3}"
  (( status == 2 )) || complain "exit code $status, expected 2" "$@"
  for ((rank = 0; rank < $1; ++rank)); do
    [[ $(grep -c '^error:' $rank.talk) == 1 ]] && grep '^error:' $rank.talk | grep -qF -- "$2" || { cat $rank.talk; complain "process $rank does not say '$2'" "$@"; }
  done
  [[ ! -e refused ]] || complain 'something was written' "$@"
}
refused 2 "the engine 'optimise' runs in one process, but 2 were started" --set train.engine=optimise
refused 3 '3 processes share a batch of 2' --batch 2
expect_fail 1 "the address of the first process, 'no.such.host', cannot be found" env RANK=1 WORLD_SIZE=2 MASTER_ADDR=no.such.host MASTER_PORT=20999 "$ALADDIN" "${build[@]}" -o refused
expect_fail 2 'MASTER_ADDR is not set' env RANK=0 WORLD_SIZE=2 "$ALADDIN" "${build[@]}" -o refused
expect_fail 2 "the variable RANK is '2'" env RANK=2 WORLD_SIZE=2 "$ALADDIN" "${build[@]}" -o refused

# One that is killed ends the others, with one sentence and the checkpoint kept; fewer processes go on from there
long=(-o killed --batch 2 --set train.epochs=3,3,500 --set train.checkpoint_minutes=0)
# two_until_step_12 RANK: two processes, $first and $second, until that one has come to step 12.
two_until_step_12() {
  rm -rf killed ./*.talk
  new_port
  process 0 2 "${long[@]}" & first=$!
  process 1 2 "${long[@]}" & second=$!
  for _ in $(seq 300); do
    grep -q '^step 12:' "$1.talk" 2>/dev/null && break
    sleep 0.1
  done
}
for victim in 1 0; do
  cases=$((cases + 1))
  two_until_step_12 "$victim"
  other=$((1 - victim))
  # The shell's child is the program's parent.
  pkill -9 -P "$([[ $victim == 1 ]] && echo $second || echo $first)" || complain 'nobody to kill' build
  begin=$SECONDS
  wait "$([[ $other == 1 ]] && echo $second || echo $first)" && code=0 || code=$?
  wait "$first" "$second" || true
  (( code == 1 )) || { cat $other.talk; complain "exit code $code of the other, expected 1" build; }
  (( SECONDS - begin < 30 )) || complain "the other took $((SECONDS - begin)) s to notice" build
  [[ $(grep -c '^error:' $other.talk) == 1 ]] && grep -q '^error: .*lost another one of this training.*--resume' $other.talk ||
    { cat $other.talk; complain 'the other does not say what happened' build; }
  compgen -G 'killed/checkpoints/step-*' >/dev/null || complain 'no checkpoint is left' build
done
cases=$((cases + 1))
steps=$(basename "$(ls killed/checkpoints | tail -1)" .safetensors)
(timeout -s INT 15 "$ALADDIN" "${build[@]}" "${long[@]}" --resume >resumed.talk 2>&1) && code=0 || code=$?
grep -q "^step $((10#${steps#step-} + 1)):" resumed.talk || { tail -5 resumed.talk; complain 'one process does not go on from there' build; }

# SIGTERM to one of them stops all after the same step, so that another number can resume
cases=$((cases + 1))
two_until_step_12 1
pkill -TERM -P $second
for process in $first $second; do
  wait $process && code=0 || code=$?
  (( code == 143 )) || { tail -3 ./*.talk; complain "exit code $code, expected 143" build; }
done
[[ $(grep -o 'stopped after step [0-9]*' 0.talk) == "$(grep -o 'stopped after step [0-9]*' 1.talk)" ]] ||
  complain 'stopped after different steps' build
