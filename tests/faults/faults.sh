# faults.sh ALADDIN [TIMES [SEED [FAULT…]]]: the real program under every fault that we can make, or those that are
# named, TIMES each (20). After each: no half-written published file, the same command goes on, and the result has the
# bits of an undisturbed run. Prints the table of docs/reliability.md; ends with 1 at the first thing that is lost.
aladdin=$1
times=${2:-20}
RANDOM=${3:-7}
here=$(dirname "$(realpath "$0")")
source "$here/lib.sh"

# kill_build_when MOMENT: kills builds until $times were met; in $struck.
kill_build_when() {
  local k
  struck=0
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${build[@]}"
    "$1"
    kill -9 "$process" 2>/dev/null || true
    ended
    [[ $status != 137 ]] || struck=$((struck + 1))
    [[ $status == 137 || $status == 0 ]] || die "exit code $status"
    require_whole run alone
    [[ $status != 0 ]] || rm -rf run
  done
  ((struck == times)) || die "only $struck of $times kills met a running build"
  require_recovery 'kill -9'
}
any_moment_of_build() { live $((50 + $(random $((build_ms * 6 / 10))))); }  # early too: before anything is there
half_a_file_of_build() {
  live "$(random $((build_ms * 6 / 10)))"
  await_half_file run
}

kill_build() {
  kill_build_when any_moment_of_build
  row 'kill -9, build' "$struck" 'resumed, the same bits'
}

# While the registrations are made and written, which may be hours after the training.
moment_of_publishing() {
  local places=(run/checkpoints/registrations run/transforms)
  touch before
  while has_used && [[ -z $(find "${places[@]}" -type f -name '[!.]*' -newer before 2>/dev/null) ]]; do nap 5; done
  ! has_used || live $((used + $(random $((build_ms / 8)))))
}
kill_publishing() {
  kill_build_when moment_of_publishing
  row 'kill -9 while it publishes, build' "$struck" 'resumed, the same bits'
}

# The very last: run.json says that it is done, and the page of the finished run is being made.
moment_of_report() {
  while has_used && ! grep -q '"state": "done"' run/run.json 2>/dev/null; do nap 5; done
  nap "$(random 60)"
}
kill_reporting() {
  kill_build_when moment_of_report
  row 'kill -9 while the last page is made, build' "$struck" 'the page is made, the same bits'
}

# Where it matters most: beside its name there is a file that is not finished.
kill_writing_build() {
  kill_build_when half_a_file_of_build
  row 'kill -9 while a file is written, build' "$struck" 'resumed, the same bits'
}

# kill_other_when MOMENT: the same for $other.
kill_other_when() {
  local k
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${words[@]}"
    "$1"
    kill -9 "$process" 2>/dev/null || true
    ended
    [[ $status != 137 ]] || struck=$((struck + 1))
    require_whole out "alone_$other"
    [[ $status != 0 ]] || rm -rf out
  done
  ((struck == times)) || die "only $struck of $times kills met a running $other"
  require_same_again 'kill -9'
}
any_moment() { live "$(random "$other_ms")"; }
half_a_file() {
  live "$(random $((other_ms * 7 / 10)))"
  await_half_file out
}
kill_one() { kill_other_when any_moment; }
kill_writing_one() { kill_other_when half_a_file; }
kill_others() { for_others kill 'kill -9' 'done again, the same bits'; }
kill_writing() { for_others kill_writing 'kill -9 while a file is written' 'done again, the same bits'; }

# stop_build SIGNAL CODE: the program says how to go on, and that works.
stop_build() {
  local k struck=0 bare=(env -i PATH="$PATH" OMP_WAIT_POLICY=passive)
  # Bits are those of the instructions.
  for k in ALADDIN_SIMD ONEDNN_MAX_CPU_ISA; do [[ -z ${!k:-} ]] || bare+=("$k=${!k}"); done
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${bare[@]}" "${build[@]}"
    live $((build_ms / 5 + $(random $((build_ms / 2)))))
    kill "-$1" "$process" 2>/dev/null || true
    ended
    require_whole run alone
    if [[ $status == "$2" ]] && grep -q 'resume with: ' talk; then
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
    live $((build_ms / 5 + $(random $((build_ms / 2)))))
    kill -INT "$process" 2>/dev/null || true
    # Two that come together are one to the system: the second comes once the first has been heard.
    for ((w = 0; w < 500; ++w)); do ! grep -q 'repeat to stop at once' talk && kill -0 "$process" 2>/dev/null || break; nap 20; done
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

# The other commands end at once and take with them what they were writing.
terminate_one() {
  local k
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${words[@]}"
    if ((k % 2)); then half_a_file; else any_moment; fi
    kill -TERM "$process" 2>/dev/null || true
    ended
    [[ $status != 143 ]] || struck=$((struck + 1))
    [[ $status == 143 || $status == 0 ]] || die "exit code $status of $other after SIGTERM"
    require_whole out "alone_$other"
    [[ ! -e out || -z $(find out -name '.?*') ]] || die "$(find out -name '.?*') is left after SIGTERM"
    [[ $status != 0 ]] || rm -rf out
  done
  ((struck == times)) || die "only $struck of $times SIGTERM met a running $other"
  require_same_again SIGTERM
}
terminate_others() { for_others terminate 'SIGTERM' 'nothing left beside, done again, the same bits'; }

require_full_sentence() {
  [[ $(grep -c '^error:' talk) == 1 ]] || die 'not one sentence about a full disk'
  grep -qE 'No space left|is the disk full' talk || die 'the sentence does not say that the disk is full'
  [[ -z $(find "$1" -name '.?*' ! -name .lock) ]] || die 'half a file is left on a full disk'
}

full_disk() {
  local k struck=0 size need
  need=$(du -sk alone | cut -f1)
  for ((k = 0; k < times; ++k)); do
    size=$((need * (k + 1) / (times + 1) + 20))
    small_disk run "${size}k" || { row 'full disk, build' 0 'not tested: no right to mount a tmpfs'; return; }
    status=0
    "${build[@]}" >said 2>talk || status=$?
    require_whole run alone
    if [[ $status == 1 ]]; then
      struck=$((struck + 1))
      require_full_sentence run
    elif [[ $status != 0 ]]; then
      die "exit code $status on a full disk of $size kB"
    fi
    mount -o "remount,size=100m" run
    "${build[@]}" >said 2>talk || die "exit code $? once the disk has room again"
    diff <(listing alone) <(listing run) || die 'the files above differ after a full disk'
    release_disk run
  done
  ((struck > 0)) || die 'no disk was full'
  row 'full disk, build' "$struck" 'one sentence, no half file, resumed, the same bits'
  for_others full_disk 'full disk' 'one sentence, no half file, done again, the same bits'
}
full_disk_one() {
  local k need
  need=$(du -sk "alone_$other" | cut -f1)
  for ((k = 0; k < times; ++k)); do
    small_disk out "$((4 + need * k / times))k"
    head -c 4096 /dev/zero >out/.lock  # so that there may be no room at all
    status=0
    "${words[@]}" >said 2>talk || status=$?
    [[ $status == 0 || $status == 1 ]] || die "exit code $status of $other on a full disk"
    if [[ $status == 1 ]]; then
      struck=$((struck + 1))
      require_full_sentence out
    fi
    require_whole out "alone_$other"
    mount -o remount,size=100m out
    rm out/.lock
    "${words[@]}" >said 2>talk || die "exit code $? of $other once the disk has room again"
    diff <(listing "alone_$other") <(listing out) || die "the files above differ after a full disk, $other"
    release_disk out
  done
  ((struck > 0)) || die "no disk was full under $other"
}

# A disk that fails: Linux makes it read-only under the files that are open, and what was not flushed is lost.
read_only() {
  local k struck=0
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    failing_disk run || { row 'disk turns read-only, build' 0 'not tested: no right to mount a loop device'; return; }
    start "${build[@]}"
    live $((build_ms / 10 + $(random $((build_ms * 8 / 10)))))
    let_disk_fail run
    ended
    [[ $status == 0 || $status == 1 ]] || die "exit code $status on a read-only disk"
    if [[ $status == 1 ]]; then
      struck=$((struck + 1))
      [[ $(grep -c '^error:' talk) == 1 ]] || die 'not one sentence about a read-only disk'
      grep -qE 'Read-only file system|Input/output error' talk || die 'the sentence does not say that the disk has failed'
    fi
    mend_disk run
    require_whole run alone
    "${build[@]}" >said 2>talk || die "exit code $? once the disk can be written again"
    ! grep -q 'damaged' talk || die 'a damaged file after a read-only disk'
    diff <(listing alone) <(listing run) || die 'the files above differ after a read-only disk'
    release_disk run
  done
  ((struck == times)) || die "only $struck of $times disks failed under a running build"
  row 'disk turns read-only, build' "$struck" 'one sentence, what was published is there, resumed, the same bits'
  for_others read_only 'disk turns read-only' 'one sentence, done again, the same bits'
}
read_only_one() {
  local k
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    failing_disk out
    start "${words[@]}"
    live "$(random $((other_ms * 8 / 10)))"
    let_disk_fail out
    ended
    [[ $status == 0 || $status == 1 ]] || die "exit code $status of $other on a read-only disk"
    if [[ $status == 1 ]]; then
      struck=$((struck + 1))
      [[ $(grep -c '^error:' talk) == 1 ]] || die "not one sentence of $other about a read-only disk"
      grep -qE 'Read-only file system|Input/output error' talk || die 'the sentence does not say that the disk has failed'
    fi
    mend_disk out
    require_whole out "alone_$other"
    "${words[@]}" >said 2>talk || die "exit code $? of $other once the disk can be written again"
    diff <(listing "alone_$other") <(listing out) || die "the files above differ after a read-only disk, $other"
    release_disk out
  done
  ((struck == times)) || die "only $struck of $times disks failed under a running $other"
}

# An image goes away, or is another, while the build runs: it is read again at the end, for --warped.
vanish() {
  local k gone=0 file=knees/images/knee003.nii.gz
  for ((k = 0; k < times; ++k)); do
    start "${build[@]}"
    live $((build_ms / 4 + $(random "$build_ms")))  # not before it has read them
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
  for_others vanish 'image and labels vanish or are cut' 'named in one sentence where missed, done again, the same bits'
}
vanish_one() {
  local k part
  for ((k = 0; k < times; ++k)); do
    start "${words[@]}"
    live "$(random $((other_ms * 8 / 10)))"
    for part in images labels; do
      mv "knees/$part/knee003.nii.gz" "away_$part.nii.gz"
      ((k % 2 == 0)) || head -c 700 "away_$part.nii.gz" >"knees/$part/knee003.nii.gz"
    done
    ended
    for part in images labels; do mv "away_$part.nii.gz" "knees/$part/knee003.nii.gz"; done
    [[ $status == 0 || $status == 1 ]] || die "exit code $status of $other when an image goes away"
    if [[ $status == 1 ]]; then
      [[ $(grep -c '^error:' talk) == 1 ]] && grep -q 'knee003' talk || die 'not one sentence that names the image'
    fi
    # The volumes of those that are left are whole, and others than those of all.
    [[ $status == 1 && $other == segment ]] && rm -f out/volumes.csv
    require_whole out "alone_$other"
    struck=$((struck + 1))
  done
  require_same_again 'an image that went away'
}

out_of_memory() {
  local k struck=0 size
  # From what hardly starts to what nearly suffices, in steps.
  for ((k = 0; k < times; ++k)); do
    size=$((build_kb * 45 / 100 + build_kb * 55 / 100 * k / times))
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
  ((struck > 0)) || die 'no build ran out of memory'
  row 'out of memory (ulimit -v), build' "$struck" 'one sentence, resumed, the same bits'
}

clock() {
  local k jump
  jump=$(dirname "$aladdin")/libclock_jump.so
  [[ -e $jump ]] || { row 'clock jumps by days' 0 'not tested: libclock_jump.so is not built'; return; }
  for ((k = 0; k < times; ++k)); do
    # Every other time it is stopped in between, and goes on by the true clock.
    start env LD_PRELOAD="$jump" "${build[@]}"
    if ((k % 2)); then any_moment_of_build && kill -TERM "$process" 2>/dev/null || true; fi
    ended
    [[ $status == 0 || $status == 143 ]] || die "exit code $status when the clock jumps"
    require_recovery 'clock jumps'
  done
  row 'clock jumps by days, build' "$times" 'the same bits'
}

two_at_once() {
  local k refused=0 first code
  for ((k = 0; k < times; ++k)); do
    start "${build[@]}"
    first=$process
    live $((build_ms / 4 + $(random $((build_ms / 4)))))
    status=0
    "${build[@]}" >said 2>other || status=$?
    if ((status == 1)); then
      grep -q 'another process is building' other || die "the second build failed: $(cat other)"
      refused=$((refused + 1))
      kill -9 "$first" 2>/dev/null || true
      wait "$first" 2>/dev/null || true
    else  # on a busy machine one may be done before the other begins
      code=0
      wait "$first" 2>/dev/null || code=$?
      [[ $status == 0 && ($code == 0 || $code == 1) ]] || die "two builds at once ended with $code and $status"
    fi
    require_whole run alone
    # A dead owner holds no lock.
    ((k % 4 < 3)) || require_recovery 'two at once'
  done
  [[ ! -e run ]] || require_recovery 'two at once'
  ((refused > 0 || times < 10)) || die 'no second build was refused'
  row 'two builds in one run directory' "$refused" 'the second refused; free once the first is dead'
}

# The lines that are done stay untouched, the one that was running goes on, and the table is the same. The build of a
# line makes a checkpoint and ends when its owner is gone; the next compare waits for it.
kill_compare() {
  local k line struck=0 moment begin
  local compare=("$aladdin" compare knees/cohort.csv --split val --spacing 6 --methods A,J3 --threads 1
    --set J3:network.width=2 --set J3:network.depth=2 --set J3:train.epochs=6 -q)
  figures() { cut -d, -f1-11 "$1/table.csv"; }  # without time and memory
  begin=$(now_ms)
  "${compare[@]}" -o compared >/dev/null 2>talk || die "exit code $? of an undisturbed compare"
  local whole_ms=$(($(now_ms) - begin))
  for ((k = 0; struck < times && k < 4 * times; ++k)); do
    start "${compare[@]}" -o "$folder/table"
    moment=$(random "$whole_ms")
    while ((moment > 0)) && kill -0 "$process" 2>/dev/null; do nap 100; moment=$((moment - 100)); done
    kill -9 "$process" 2>/dev/null || true
    ended
    [[ $status != 137 ]] || struck=$((struck + 1))
    for line in A J3; do require_whole "table/$line/run/transforms" "compared/$line/run/transforms"; done
    [[ $status != 0 ]] || rm -rf table
  done
  ((struck == times)) || die "only $struck of $times kills met a running compare"
  "${compare[@]}" -o "$folder/table" >/dev/null 2>talk || die "exit code $? of compare after kill -9"
  diff <(figures compared) <(figures table) || die 'another table after kill -9'
  for line in A J3; do
    diff <(listing "compared/$line/run/transforms") <(listing "table/$line/run/transforms") || die "line $line differs"
  done
  rm -rf table compared
  row 'kill -9, compare' "$struck" 'gone on, the same table and the same bits'
}

# Two processes on machines of their own train together, and the line between them is cut: both end within a minute, and
# both go on. Each time takes half a minute of waiting: at most three.
cut_link() {
  local k side struck=0 begin pids codes
  local train=("$aladdin" build knees/cohort.csv -o run --spacing 6 --engine learn --epochs 3,3,60 --set network.width=4
    --set train.least=1 --set train.refine=0 --set train.checkpoint_minutes=0.02 --threads 1 --no-report -v --resume)
  two_machines || { row 'link between two processes cut, build' 0 'not tested: no right to make network namespaces'; return; }
  both() {
    for side in 0 1; do
      RANK=$side WORLD_SIZE=2 MASTER_ADDR=10.9.0.1 MASTER_PORT=29500 ip netns exec "${machines[$side]}" "${train[@]}" >"said_$side" 2>&1 &
      pids[$side]=$!
    done
  }
  both_ended() { for side in 0 1; do codes[$side]=0; wait "${pids[$side]}" || codes[$side]=$?; done; }
  for ((k = 0; k < times && k < 3; ++k)); do
    pids=() codes=()
    both
    for ((begin = $(now_ms); $(now_ms) - begin < 120000; )); do ! grep -q "^step $((20 + 10 * k)):" said_0 || break; nap 50; done
    link down
    begin=$(now_ms)
    both_ended
    (($(now_ms) - begin < 60000)) || die 'a cut link is noticed after more than a minute'
    for side in 0 1; do
      [[ ${codes[$side]} == 1 && $(grep -c '^error:' "said_$side") == 1 ]] || { cat "said_$side" >talk; die "exit code ${codes[$side]} of process $side"; }
    done
    struck=$((struck + 1))
    link up
    both
    both_ended
    [[ ${codes[*]} == '0 0' ]] || { cat said_0 said_1 >talk; die "exit codes ${codes[*]} of --resume after a cut link"; }
    rm -rf run
  done
  row 'link between two processes cut, build' "$struck" 'both ended within a minute with one sentence, resumed'
}

interrupt() { stop_build INT 130; }
terminate() { stop_build TERM 143; }

all=(kill_build kill_publishing kill_reporting kill_others kill_compare kill_writing_build kill_writing interrupt terminate
  terminate_others stop_twice full_disk read_only vanish out_of_memory clock two_at_once cut_link)
for fault in "${@:4}"; do
  [[ " ${all[*]} " == *" $fault "* ]] || die "there is no fault '$fault', only: ${all[*]}"
done
chosen=("${@:4}")
for fault in "${chosen[@]:-${all[@]}}"; do "$fault"; done
echo
echo '| fault | injected | nothing lost |'
echo '|---|---|---|'
printf '%s\n' "${table[@]}"
