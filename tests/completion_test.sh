# completion_test.sh ALADDIN: sources the completion script and asks it as readline does; zsh and fish read theirs.
set -euo pipefail
# shellcheck source=/dev/null
source <("$1" completion bash)

# completes 'WORD …' EXPECTED: the last word is the one being typed.
completes() {
  read -ra COMP_WORDS <<<"$1"
  [[ $1 == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _aladdin || true
  [[ "${COMPREPLY[*]}" == "$2" ]] ||
    { echo "'$1' completes to '${COMPREPLY[*]}', expected '$2'"; exit 1; }
}
completes 'aladdin inf' 'info'
completes 'aladdin help inf' 'info'
completes 'aladdin --v' '--version'
completes 'aladdin info --verb' '--verbose'
completes 'aladdin info file.nii --hel' '--help'
completes 'aladdin info ' ''  # files: readline's own
completes 'aladdin completion ' 'bash zsh fish'
completes 'aladdin completion -' '-q --quiet -v --verbose -h --help'
completes 'aladdin nonsense --' ''
complete -p aladdin | grep -q -- '-o default'

scripts=$(mktemp -d)
trap 'rm -rf "$scripts"' EXIT
"$1" completion zsh >"$scripts/_aladdin"
"$1" completion fish >"$scripts/aladdin.fish"
zsh -fn "$scripts/_aladdin"
for command in $("$1" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  grep -q "^    $command) _arguments" "$scripts/_aladdin" || { echo "zsh: nothing for $command"; exit 1; }
done
# fish_completes WORDS EXPECTED
fish_completes() {
  local found
  found=$(HOME=$scripts fish --no-config -c "source $scripts/aladdin.fish; complete -C '$1'" | cut -f1 | xargs)
  [[ $found == "$2" ]] || { echo "fish: '$1' completes to '$found', expected '$2'"; exit 1; }
}
PATH=$(dirname "$1"):$PATH
fish_completes 'aladdin inf' 'info'
fish_completes 'aladdin help inf' 'info'
fish_completes 'aladdin warp --interp l' 'label linear'
fish_completes 'aladdin completion ' 'bash fish zsh'
fish_completes 'aladdin info --verb' '--verbose'
