#include <fmt/format.h>

#include "command.h"
#include "completion.h"
#include "declaration.h"
#include "parse.h"

namespace aladdin::app {
namespace {

constexpr const char* kScript = R"(#compdef aladdin
# zsh completion for aladdin: put it as _aladdin into a folder of $fpath
_aladdin() {{
  local -a commands=(
{commands}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[Print the commands]' '--version[Print the versions]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
{cases}  esac
}}
_aladdin "$@"
)";

// Inside single quotes, where _arguments and _describe take some characters for their own.
std::string quoted(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

std::string action_of(const Flag& flag) {
  if (!flag.choices.empty()) return fmt::format("({})", fmt::join(flag.choices, " "));
  return flag.value == "DIR" ? "_files -/" : "_files";
}

std::string specification(const Flag& flag) {
  const std::string meaning = quoted(flag.description, "[]:\\");
  if (flag.argument)
    return fmt::format("'{}:{}:{}'", flag.repeated ? "*" : "", quoted(flag.names[0], ":"),
                       action_of(flag));
  std::string value;
  if (!flag.value.empty())
    value = fmt::format(":{}:{}", quoted(flag.value, ":[]\\"), action_of(flag));
  const std::string names = fmt::format("{}", fmt::join(flag.names, ","));
  const std::string rest = fmt::format("'[{}]{}'", meaning, value);
  const std::string all = flag.names.size() > 1 ? "{" + names + "}" : names;
  // What is not repeated is no longer offered once it is given, under any of its names.
  return flag.repeated ? fmt::format("'*'{}{}", all, rest)
                       : fmt::format("'({})'{}{}", fmt::join(flag.names, " "), all, rest);
}

}  // namespace

std::string zsh_completion() {
  std::string names, cases;
  for (const auto& command : commands()) {
    if (command.hidden) continue;
    names += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary, ":\\"));
    std::string words;
    for (const auto& flag : declared_flags(*declare(command).app))
      words += " \\\n      " + specification(flag);
    cases += fmt::format("    {}) _arguments -s{} ;;\n", command.name, words);
  }
  return fmt::format(kScript, fmt::arg("commands", names), fmt::arg("cases", cases));
}

}  // namespace aladdin::app
