# check_examples.sh PROGRAM FILE…: every 'aladdin …' line in a shell block of these pages names a command and flags that exist.
set -euo pipefail
program=$1
shift
seen=0 broken=0
declare -A help

complain() { echo "$*"; broken=1; }

while IFS= read -r line; do
  seen=$((seen + 1))
  read -r command rest <<<"$line"
  if [[ -z ${help[$command]:-} ]]; then
    help[$command]=$("$program" "$command" --help 2>&1) || { complain "there is no command '$command': aladdin $line"; continue; }
  fi
  for word in $rest; do
    flag=${word%%=*}
    [[ $flag =~ ^--?[a-z] ]] || continue
    grep -qE "(^|[ ,])$flag([ ,]|\$)" <<<"${help[$command]}" || complain "aladdin $command has no flag '$flag': aladdin $line"
  done
done < <(awk '/^```/ { inside = $0 == "```sh" } inside' "$@" | sed 's/ #.*//' | grep -oE '(^|[ $(])aladdin [a-z][a-z]* .*' | sed -E 's/^.?aladdin //; s/[|;>].*//')

(( seen > 20 )) || complain "only $seen commands were found"
(( broken == 0 )) && echo "$seen commands, all flags exist"
exit "$broken"
