# completion_test.sh ALADDIN: sources the completion script and asks it as readline does.
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
completes 'aladdin completion ' 'bash'
completes 'aladdin completion -' '-q --quiet -v --verbose -h --help'
completes 'aladdin nonsense --' ''
complete -p aladdin | grep -q -- '-o default'
