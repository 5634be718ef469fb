#include <fmt/format.h>

#include "command.h"
#include "completion.h"
#include "declaration.h"
#include "parse.h"

namespace aladdin::app {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string line_of(const std::string& command, const Flag& flag) {
  std::string line = fmt::format("complete -c aladdin -n '__aladdin_command {}'", command);
  for (const auto& name : flag.names)
    if (!flag.argument)
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!flag.choices.empty())
    line += fmt::format(" {} {}", flag.argument ? "-fa" : "-xa",
                        quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
  else if (!flag.value.empty())
    line += " -r";
  return flag.argument && flag.choices.empty() ? ""
                                               : line + " -d " + quoted(flag.description) + "\n";
}

}  // namespace

std::string fish_completion() {
  std::string script =
      "# fish completion for aladdin: ~/.config/fish/completions/aladdin.fish\n"
      "function __aladdin_command\n"
      "  set -l words (commandline -opc)\n"
      "  test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
      "end\n"
      "function __aladdin_no_command\n"
      "  test (count (commandline -opc)) -eq 1\n"
      "end\n"
      "complete -c aladdin -n __aladdin_no_command -f -l help -d 'Print the commands'\n"
      "complete -c aladdin -n __aladdin_no_command -f -l version -d 'Print the versions'\n";
  for (const auto& command : commands()) {
    if (command.hidden) continue;
    for (const char* where : {"__aladdin_no_command", "'__aladdin_command help'"})
      script += fmt::format("complete -c aladdin -n {} -fa {} -d {}\n", where, command.name,
                            quoted(command.summary));
    for (const auto& flag : declared_flags(*declare(command).app))
      script += line_of(command.name, flag);
  }
  return script;
}

}  // namespace aladdin::app
