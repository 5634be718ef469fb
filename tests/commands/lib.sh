# lib.sh CASE.sh: runs one file of command cases in a fresh folder, with these functions at hand.
# ALADDIN, MAKE_IMAGE and MAKE_MODEL name the programs; every case is run even if one before it fails.
set -euo pipefail

case_file=$(realpath "$1")
folder=$(mktemp -d)
mkdir "$folder/work" "$folder/talk"
cd "$folder/work"
cases=0
failures=0

finish() {
  local status=$?
  rm -rf "$folder"
  printf '%d cases, %d failed\n' "$cases" "$failures"
  (( status == 0 && failures > 0 )) && status=1
  exit "$status"
}
trap finish EXIT

aladdin() { "$ALADDIN" "$@"; }
make_image() { "$MAKE_IMAGE" "$1" "$2"; }
port=
# new_port: a port of the system's choice in $port, nobody else's until the next one or the end.
new_port() {
  [[ -z ${port_holder_PID:-} ]] || { kill "$port_holder_PID" && wait "$port_holder_PID"; } 2>/dev/null || true
  coproc port_holder { exec "$HOLD_PORT"; }
  read -r -u "${port_holder[0]}" port
}
make_model() { "$MAKE_MODEL" "$@"; }

# complain WHAT COMMAND…
complain() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n  command: %s\n' "$1" "${*:2}"
  sed 's/^/  stderr: /' "$folder/talk/err"
}

run_case() {
  cases=$((cases + 1))
  status=0
  "$@" >"$folder/talk/out" 2>"$folder/talk/err" || status=$?
}

# expect_ok COMMAND…: exit code 0 and no error; its output is then in $folder/talk/out.
expect_ok() {
  run_case "$@"
  if (( status != 0 )); then complain "exit code $status, expected 0" "$@"; return; fi
  ! grep -q '^error:' "$folder/talk/err" || complain "an error line, but exit code 0" "$@"
}

# expect_out TEXT COMMAND…: expect_ok, and TEXT somewhere in stdout.
expect_out() {
  expect_ok "${@:2}"
  grep -qF -- "$1" "$folder/talk/out" || complain "stdout does not contain '$1'" "${@:2}"
}

# expect_fail CODE TEXT COMMAND…: that exit code; exactly one error line; TEXT in it (or in the list
# that follows it); no trace of a crash; and nothing made, changed or removed here.
expect_fail() {
  local code=$1 text=$2 before after
  shift 2
  before=$(listing)
  run_case "$@"
  after=$(listing)
  (( status == code )) || complain "exit code $status, expected $code" "$@"
  [[ $(grep -c '^error:' "$folder/talk/err") == 1 ]] || complain "expected one error line" "$@"
  sed -n '/^error:/,$p' "$folder/talk/err" | grep -qF -- "$text" ||
    complain "the error does not say '$text'" "$@"
  ! grep -qE 'terminate called|what\(\):|frame #[0-9]|Sanitizer|itk::ERROR|ITK ERROR|HDF5-DIAG|HDF5:|Segmentation' \
    "$folder/talk/err" || complain "a crash or a library's own words" "$@"
  [[ $before == "$after" ]] || complain "files changed: $(diff <(echo "$before") <(echo "$after"))" "$@"
}

listing() { find . -printf '%p %y %s %T@\n' | LC_ALL=C sort; }

# shellcheck source=/dev/null
source "$case_file"
