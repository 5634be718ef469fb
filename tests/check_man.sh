# check_man.sh ALADDIN: every command has a manual page with all its flags, and roff takes it without a complaint.
set -euo pipefail
aladdin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$aladdin" docs man -o "$folder"
commands=$("$aladdin" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ $(wc -w <<<"$commands") -gt 10 ]] || { echo 'too few commands in --help'; exit 1; }
for command in $commands; do
  page=$folder/aladdin-$command.1
  text=$(sed 's/\\-/-/g' "$page")
  for flag in $("$aladdin" "$command" --help | sed -n '/^flags:/,/^examples:/p' | grep -oE '^  (-[a-z], )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'); do
    grep -qE -- "^\.B .*$flag( |\$)" <<<"$text" || { echo "$flag is not in the page of $command"; exit 1; }
  done
  grep -q "aladdin.-$command" "$folder/aladdin.1" || { echo "$command is not in aladdin(1)"; exit 1; }
done
if command -v groff >/dev/null; then
  complaints=$(groff -man -Tutf8 -ww "$folder"/*.1 2>&1 >/dev/null | grep -v 'cannot adjust' || true)
  [[ -z $complaints ]] || { echo "$complaints"; exit 1; }
fi
