#include <fmt/format.h>

#include "command.h"
#include "completion.h"
#include "declaration.h"
#include "parse.h"

namespace aladdin::app {
namespace {

// Readline splits words at '=', so "--interp=li" arrives as three words.
constexpr const char* kScript = R"(# bash completion for aladdin:  source <(aladdin completion bash)
_aladdin() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} flag=${{COMP_WORDS[COMP_CWORD-1]}} words=
  if [[ $current == = ]]; then
    current=
  elif [[ $flag == = ]]; then
    flag=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    words='{commands} help --help --version'
  elif [[ $current == -* ]]; then
    case ${{COMP_WORDS[1]}} in
{flags}    esac
  else
    case "${{COMP_WORDS[1]}} $flag" in
      'help help') words='{commands}' ;;
{values}    esac
  fi
  # Without words it is a file name, which readline completes.
  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _aladdin aladdin
)";

std::string words_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string case_line(const std::string& pattern, const std::vector<std::string>& words) {
  return fmt::format("      {}) words='{}' ;;\n", pattern, words_of(words));
}

}  // namespace

std::string bash_completion() {
  std::vector<std::string> names;
  std::string flags, values;
  for (const auto& command : commands()) {
    if (command.hidden) continue;
    names.push_back(command.name);
    std::vector<std::string> own;
    std::string of_arguments;  // they match any flag, so they come after the lines of the flags
    for (const auto& flag : declared_flags(*declare(command).app)) {
      if (!flag.argument) own.insert(own.end(), flag.names.begin(), flag.names.end());
      if (flag.choices.empty()) continue;
      for (const auto& name : flag.names)
        if (!flag.argument)
          values += case_line(fmt::format("'{} {}'", command.name, name), flag.choices);
      if (flag.argument)
        of_arguments += case_line(fmt::format("'{} '*", command.name), flag.choices);
    }
    values += of_arguments;
    flags += case_line(command.name, own);
  }
  return fmt::format(kScript, fmt::arg("commands", words_of(names)), fmt::arg("flags", flags),
                     fmt::arg("values", values));
}

}  // namespace aladdin::app
