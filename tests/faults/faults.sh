# faults.sh ALADDIN [TIMES [SEED [FAULT…]]]: the real program under every fault that we can make, or those that
# are named, TIMES each (20). After
# each: no half-written published file, the same command goes on, and the result has the bits of an undisturbed
# run. Prints the table of docs/reliability.md; ends with 1 at the first thing that is lost.
aladdin=$1
times=${2:-20}
RANDOM=${3:-7}
here=$(dirname "$(realpath "$0")")
source "$here/lib.sh"

kill_build() {
  local k struck=0
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${build[@]}"
    nap $((50 + $(random $((build_ms * 6 / 10)))))  # early too: before anything is there
    kill -9 "$process" 2>/dev/null || true
    ended
    [[ $status != 137 ]] || struck=$((struck + 1))
    [[ $status == 137 || $status == 0 ]] || die "exit code $status"
    require_whole run alone
    [[ $status != 0 ]] || rm -rf run
  done
  ((struck == times)) || die "only $struck of $times kills met a running build"
  require_recovery 'kill -9'
  row 'kill -9, build' "$struck" 'resumed, the same bits'
}

# kill_other NAME MS COMMAND…: `check` compares what there is with what there should be.
kill_other() {
  local k struck=0
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${@:3}"
    nap "$(random $(($2 * 7 / 10)))"
    kill -9 "$process" 2>/dev/null || true
    ended
    [[ $status != 137 ]] || struck=$((struck + 1))
    require_whole out alone_out
    [[ ! -e figures.csv ]] || cmp -s figures.csv alone.csv || die 'half of figures.csv'
  done
  ((struck == times)) || die "only $struck of $times kills met a running $1"
  "${@:3}" >said 2>talk || die "exit code $? of $1 after kill -9"
  if [[ $1 == register ]]; then
    diff <(listing alone_out) <(listing out) || die 'the files above differ after kill -9'
  else
    cmp figures.csv alone.csv && cmp said table.txt || die 'other figures after kill -9'
  fi
  rm -rf out figures.csv
  row "kill -9, $1" "$struck" 'done again, the same bits'
}

# stop_build SIGNAL CODE: the program says how to go on, and that works.
stop_build() {
  local k struck=0
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start env -i PATH="$PATH" OMP_WAIT_POLICY=passive "${build[@]}"
    nap $((build_ms / 5 + $(random $((build_ms / 2)))))
    kill "-$1" "$process" 2>/dev/null || true
    ended
    require_whole run alone
    if [[ $status == "$2" ]] && grep -q 'go on with: ' talk; then
      struck=$((struck + 1))
      [[ -n $(ls run/checkpoints) ]] || die 'no checkpoint'
    elif [[ $status == "$2" ]]; then
      :  # before the training had begun: what was there is there
    elif [[ $status != 0 ]]; then
      die "exit code $status after SIG$1, expected $2"
    fi
    if ((k % 4 == 3)) || [[ $status == 0 ]]; then require_recovery "SIG$1"; fi
  done
  [[ ! -e run ]] || require_recovery "SIG$1"
  ((struck == times)) || die "only $struck of $times SIG$1 met a training"
  row "SIG$1 once, build" "$struck" "step finished, checkpoint, exit $2, resumed, the same bits"
}

stop_twice() {
  local k w struck=0 begin
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${build[@]}"
    nap $((build_ms / 5 + $(random $((build_ms / 2)))))
    kill -INT "$process" 2>/dev/null || true
    # Two that come together are one to the system: the second comes once the first has been heard.
    for ((w = 0; w < 50; ++w)); do ! grep -q 'once more' talk && kill -0 "$process" 2>/dev/null || break; nap 20; done
    kill -INT "$process" 2>/dev/null || true
    begin=$(now_ms)
    ended
    (($(now_ms) - begin < 5000)) || die 'SIGINT twice takes longer than five seconds'
    [[ $status == 130 || $status == 0 ]] || die "exit code $status after SIGINT twice"
    [[ $status != 130 ]] || struck=$((struck + 1))
    require_whole run alone
    [[ $status != 0 ]] || rm -rf run
  done
  [[ ! -e run ]] || require_recovery 'SIGINT twice'
  ((struck == times)) || die "only $struck of $times SIGINT twice met a running build"
  row 'SIGINT twice, build' "$struck" 'stopped at once, resumed, the same bits'
}

# A folder of its own size and rights: small DIR SIZE.
small() {
  mkdir -p "$1"
  mount -t tmpfs -o "size=$2" tmpfs "$1" 2>/dev/null || return 1
  mounted+=("$1")
}

full_disk() {
  local k struck=0 size need
  need=$(du -sk alone | cut -f1)
  for ((k = 0; k < times; ++k)); do
    size=$((need * (k + 1) / (times + 1) + 20))
    small run "${size}k" || { row 'full disk, build' 0 'not tested: no right to mount a tmpfs'; return; }
    status=0
    "${build[@]}" >said 2>talk || status=$?
    require_whole run alone
    if [[ $status == 1 ]]; then
      struck=$((struck + 1))
      [[ $(grep -c '^error:' talk) == 1 ]] || die 'not one sentence about a full disk'
      grep -qE 'No space left|is the disk full' talk || die 'the sentence does not say that the disk is full'
      [[ -z $(find run -name '.?*' ! -name .lock) ]] || die 'half a file is left on a full disk'
    elif [[ $status != 0 ]]; then
      die "exit code $status on a full disk of $size kB"
    fi
    mount -o "remount,size=100m" run
    "${build[@]}" >said 2>talk || die "exit code $? once the disk has room again"
    diff <(listing alone) <(listing run) || die 'the files above differ after a full disk'
    umount run
    rmdir run
  done
  row 'full disk, build' "$struck" 'one sentence, no half file, resumed, the same bits'
  small out 100k
  status=0
  "${register[@]}" >said 2>talk || status=$?
  [[ $status == 1 ]] && grep -qE 'No space left|is the disk full' talk || die "register on a full disk: exit code $status"
  require_whole out alone_out
  mount -o remount,size=100m out
  "${register[@]}" >said 2>talk
  diff <(listing alone_out) <(listing out) || die 'the files above differ after a full disk'
  umount out
  rmdir out
  row 'full disk, register' 1 'one sentence, done again, the same bits'
}

read_only() {
  local k struck=0
  for ((k = 0; k < times; ++k)); do
    small run 100m || { row 'read-only disk, build' 0 'not tested: no right to mount a tmpfs'; return; }
    start "${build[@]}"
    nap $((build_ms / 10 + $(random $((build_ms * 8 / 10)))))
    # Refused while a file is open for writing: the log always is. A lazy way round: a new, read-only view.
    mount -o remount,ro run 2>/dev/null || mount -o remount,ro,bind run 2>/dev/null || true
    ended
    require_whole run alone
    [[ $status == 0 || $status == 1 ]] || die "exit code $status on a read-only disk"
    [[ $status != 1 ]] || struck=$((struck + 1))
    [[ $status == 0 || $(grep -c '^error:' talk) == 1 ]] || die 'not one sentence about a read-only disk'
    mount -o remount,rw run 2>/dev/null || true
    mount -o remount,rw,bind run 2>/dev/null || true
    "${build[@]}" >said 2>talk || die "exit code $? once the disk can be written again"
    diff <(listing alone) <(listing run) || die 'the files above differ after a read-only disk'
    umount run
    rmdir run
  done
  row 'disk turned read-only, build' "$struck" 'one sentence, resumed, the same bits'
}

# An image goes away, or is another, while the build runs: it is read again at the end, for --warped.
vanish() {
  local k gone=0 file=knees/images/knee003.nii.gz
  for ((k = 0; k < times; ++k)); do
    start "${build[@]}"
    nap $((build_ms / 4 + $(random "$build_ms")))  # not before it has read them
    mv "$file" away.nii.gz
    ((k % 2 == 0)) || cp knees/images/knee004.nii.gz "$file"
    ended
    mv away.nii.gz "$file"
    [[ $status == 0 || $status == 1 ]] || die "exit code $status when an image goes away"
    if [[ $status == 1 ]]; then
      gone=$((gone + 1))
      grep -q 'knee003' talk || die 'the sentence does not name the image'
    fi
    if [[ $status == 0 ]]; then rm -rf run; fi
  done
  [[ ! -e run ]] || require_recovery 'an image that went away'
  ((gone > 0 || times < 10)) || die 'no image was missed'
  row 'image vanishes or changes, build' "$times" "$gone named in one sentence and resumed, the others done before"
}

out_of_memory() {
  local k struck=0 most least size
  # From what hardly starts to what suffices, in steps.
  least=300000
  most=3000000
  for ((k = 0; k < times; ++k)); do
    size=$((least + (most - least) * k / times))
    status=0
    (ulimit -v "$size" && exec "${build[@]}") >said 2>talk || status=$?
    require_whole run alone
    [[ $status == 0 || $status == 1 || $status == 127 ]] || die "exit code $status with $size kB of memory"
    if [[ $status == 1 ]]; then
      struck=$((struck + 1))
      [[ $(grep -c '^error:' talk) == 1 ]] || die "not one sentence with $size kB of memory"
    fi
    [[ $status != 0 ]] || rm -rf run
  done
  require_recovery 'out of memory'
  row 'out of memory (ulimit -v), build' "$struck" 'one sentence, resumed, the same bits'
}

clock() {
  local jump
  jump=$(dirname "$aladdin")/libclock_jump.so
  [[ -e $jump ]] || { row 'clock jumps by days' 0 'not tested: libclock_jump.so is not built'; return; }
  LD_PRELOAD=$jump "${build[@]}" >said 2>talk || die "exit code $? when the clock jumps"
  require_recovery 'clock jumps'
  row 'clock jumps by days, build' 1 'the same bits'
}

two_at_once() {
  local k refused=0 first
  for ((k = 0; k < times; ++k)); do
    start "${build[@]}"
    first=$process
    nap $((build_ms / 4 + $(random $((build_ms / 4)))))
    status=0
    "${build[@]}" >said 2>other || status=$?
    if kill -9 "$first" 2>/dev/null; then
      [[ $status == 1 ]] && grep -q 'another process is building' other || die "a second build was let in ($status)"
      refused=$((refused + 1))
    fi
    wait "$first" 2>/dev/null || true
    require_whole run alone
    # A dead owner holds no lock.
    ((k % 4 < 3)) || require_recovery 'two at once'
  done
  [[ ! -e run ]] || require_recovery 'two at once'
  row 'two builds in one run directory' "$refused" 'the second refused; free once the first is dead'
}

kill_register() { kill_other register "$register_ms" "${register[@]}"; }
kill_evaluate() { kill_other evaluate "$evaluate_ms" "${evaluate[@]}"; }
interrupt() { stop_build INT 130; }
terminate() { stop_build TERM 143; }

all=(kill_build kill_register kill_evaluate interrupt terminate stop_twice full_disk read_only vanish
  out_of_memory clock two_at_once)
for fault in "${@:4}"; do
  [[ " ${all[*]} " == *" $fault "* ]] || die "there is no fault '$fault', only: ${all[*]}"
done
chosen=("${@:4}")
for fault in "${chosen[@]:-${all[@]}}"; do "$fault"; done
echo
echo '| fault | injected | nothing lost |'
echo '|---|---|---|'
printf '%s\n' "${table[@]}"
