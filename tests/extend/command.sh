# command.sh PROGRAM: a command whose file is all that was added runs, and is in help, completion and documentation.
set -euo pipefail
program=$1

check() {  # check TEXT WORD…
  local said
  said=$("$program" "${@:2}" 2>&1) || true
  grep -qF -- "$1" <<<"$said" || { echo "'aladdin ${*:2}' does not say: $1"; exit 1; }
}

check "hello, Ada" toy --name Ada
check "did you mean '--name'?" toy --nam Ada
check "Greet somebody" --help
check "## aladdin toy" docs commands
check "toy) words='" completion bash

# Commands without a place of their own come last, the others in the order of a study.
last=$("$program" --help | awk '/^  [a-z]/ { name = $1 } END { print name }')
first=$("$program" --help | awk '/^  [a-z]/ { print $1; exit }')
[[ $first == build && $last == toy ]] || { echo "help begins with '$first' and ends with '$last'"; exit 1; }
