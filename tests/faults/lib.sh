# For faults.sh: a cohort, a build that was left alone, and what must hold after every fault.
set -euo pipefail

folder=$(mktemp -d)
mounted=()
machines=()
finish() {
  local status=$?
  # Lazily: a program that was left in the middle may still look there.
  for point in "${mounted[@]}"; do umount -l "$point" 2>/dev/null || true; done
  for machine in "${machines[@]}"; do ip netns del "$machine" 2>/dev/null || true; done
  rm -rf "$folder"
  exit "$status"
}
trap finish EXIT
source "$here/disks.sh"
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
# The commands that read a finished run (`alone`): a line each is all it takes to have one killed, stopped, cut off
# from its files and put on a full and on a read-only disk. What they write goes into `out`.
others=(
  'register alone knees/images/knee00?.nii.gz -o out --force --json'
  'segment alone knees/images/knee00?.nii.gz -o out --force'
  'evaluate alone --split all --csv out/figures.csv --force'
)

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
  [[ ! run/run.json -nt run/report.html ]] || die "the page is not that of the finished run after $1"
  rm -rf run
}

# The same for one of the other commands, $other.
require_same_again() {
  local left
  touch before
  "${words[@]}" >said 2>talk || die "exit code $? of $other after $1"
  left=$(find out -name '.?*' -newer before)
  [[ -z $left ]] || die "$left is left after $1"
  diff <(listing "alone_$other") <(listing out) || die "the files above differ after $1"
  diff <(grep -v '"seconds"' "alone_$other.txt") <(grep -v '"seconds"' said) || die "$other says something else after $1"
  rm -rf out
}

# Until a file that is not finished is seen in folder $1 or in one of its own, or the process has ended.
await_half_file() {
  while kill -0 "$process" 2>/dev/null; do
    ! compgen -G "$1/.*.*.*.*" >/dev/null && ! compgen -G "$1/*/.*.*.*.*" >/dev/null || break
  done
}

# for_others FAULT TEXT RESULT: does what `FAULT_one` does with each of the other commands: its name is in $other, its
# words are in $words, its time is in $other_ms; a row of the table for each.
for_others() {
  local line struck
  for line in "${others[@]}"; do
    other=${line%% *}
    words=("$aladdin" $line --threads 1)
    other_ms=${took_ms[$other]}
    struck=0
    "$1_one"
    row "$2, $other" "$struck" "$3"
  done
}

# start COMMAND…: in the background, where bash would have it ignore SIGINT; its process is $process.
start() { env --default-signal=INT,TERM "$@" >said 2>talk & process=$!; }
# Waits for it; its exit code is in $status.
ended() { status=0; wait "$process" 2>/dev/null || status=$?; }

# Milliseconds of processor time that $process has had, in $used; false once it has ended.
has_used() {
  local fields
  { read -ra fields <"/proc/$process/stat"; } 2>/dev/null && [[ ${fields[2]} != Z ]] || return 1
  used=$(((fields[13] + fields[14]) * 10))
}
# live MS: until $process has had that much processor time, and a little longer, or has ended. Not by the clock: on
# a busy machine a moment of the clock is any moment of the program.
live() {
  while has_used && ((used < $1)); do nap 10; done
  nap "$(random 20)"
}
# took COMMAND…: from its start to its end, undisturbed: its processor time is in $used, the most address
# space that it had in $peak_kb.
took() {
  start "$@"
  local peak
  peak_kb=0
  while has_used; do
    peak=$(sed -n 's/^VmPeak:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$process/status" 2>/dev/null) || true
    [[ -z $peak ]] || peak_kb=$peak
    nap 20
  done
  ended
  ((status == 0)) || die "exit code $status of an undisturbed $2"
}

# Two network namespaces, joined by a line: 10.9.0.1 and 10.9.0.2.
two_machines() {
  local side
  machines=("aladdin_$$_0" "aladdin_$$_1")
  for side in 0 1; do ip netns add "${machines[$side]}" 2>/dev/null || return 1; done
  ip link add line0 netns "${machines[0]}" type veth peer name line1 netns "${machines[1]}" || return 1
  for side in 0 1; do
    ip -n "${machines[$side]}" addr add "10.9.0.$((side + 1))/24" dev "line$side"
    ip -n "${machines[$side]}" link set lo up
  done
  link up
}
link() { for side in 0 1; do ip -n "${machines[$side]}" link set "line$side" "$1"; done; }

table=()
row() { table+=("| $1 | $2 | $3 |"); echo "$1: $2 times, $3"; }

"$aladdin" synth -o knees --subjects 6 --val 2 --test 0 --size 28,34,34 --spacing 4,4,4 -q --threads 1
took "${build[@]}"
build_ms=$used
build_kb=$peak_kb
mv run alone
declare -A took_ms
for line in "${others[@]}"; do
  other=${line%% *}
  took "$aladdin" $line --threads 1
  took_ms[$other]=$used
  mv said "alone_$other.txt"
  mv out "alone_$other"
done
echo "undisturbed, ms of processor time: build $build_ms ($build_kb kB), $(for other in "${!took_ms[@]}"; do printf '%s %s, ' "$other" "${took_ms[$other]}"; done)"
