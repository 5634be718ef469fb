// aladdin completion bash: a script made from the declarations.
#include <fmt/format.h>

#include "command.h"
#include "declaration.h"
#include "parse.h"

namespace aladdin::app {
namespace {

// Readline splits words at '=', so "--interp=li" arrives as three words.
constexpr const char* kHead = R"(# bash completion for aladdin:  source <(aladdin completion bash)
_aladdin() {
  local current=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]} words=
  if [[ $current == = ]]; then
    current=
  elif [[ $flag == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
)";

constexpr const char* kTail = R"(    esac
    # Anything else is a file: left to readline.
    [[ -z $words && $current == -* ]] && case ${COMP_WORDS[1]} in
)";

std::string words_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// The lines `info) words='…' ;;` of the two case statements: values of a flag, flags of a command.
void print_bash() {
  std::string names, values, flags;
  for (const auto& command : commands()) {
    if (command.hidden) continue;
    names += command.name + " ";
    std::vector<std::string> own;
    for (const auto& flag : declared_flags(*declare(command).app)) {
      if (flag.argument) {
        if (!flag.choices.empty())
          values +=
              fmt::format("      '{} '*) words='{}' ;;\n", command.name, words_of(flag.choices));
        continue;
      }
      own.insert(own.end(), flag.names.begin(), flag.names.end());
      if (flag.choices.empty()) continue;
      for (const auto& name : flag.names)
        values += fmt::format("      '{} {}') words='{}' ;;\n", command.name, name,
                              words_of(flag.choices));
    }
    flags += fmt::format("      {}) words='{}' ;;\n", command.name, words_of(own));
  }
  fmt::print(
      "{}    words='{}help --help --version'\n  else\n    case \"${{COMP_WORDS[1]}} $flag\" in\n{}"
      "{}{}    esac\n  fi\n",
      kHead, names, values, kTail, flags);
  fmt::print(
      "  [[ -n $words ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "}}\ncomplete -o default -F _aladdin aladdin\n");
}

}  // namespace

Command completion_command() {
  return {"completion",
          "Print a completion script for the shell",
          "Prints a script that completes commands, flags and their values; load it with "
          "'source <(aladdin completion bash)', for instance in ~/.bashrc.",
          {{"completion bash > ~/.local/share/bash-completion/completions/aladdin",
            "install it for one user"}},
          [](CLI::App& app) {
            app.add_option("SHELL", "The shell to complete in")
                ->required()
                ->check(CLI::IsMember({"bash"}));
            return print_bash;
          }};
}

}  // namespace aladdin::app
