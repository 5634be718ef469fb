// aladdin docs: docs/commands.md, from the declarations.
#include <fmt/format.h>

#include "command.h"
#include "help.h"

namespace aladdin::app {
namespace {

void print_docs() {
  fmt::print(
      "# Commands\n\nMade by `./run docs` from the declarations in `apps/aladdin/`; a test fails "
      "when it is stale.\n\n| command | |\n|---|---|\n");
  for (const auto& command : commands())
    if (!command.hidden)
      fmt::print("| [`aladdin {0}`](#aladdin-{0}) | {1} |\n", command.name, command.summary);
  fmt::print(
      "\nExit codes: 0 done, 1 failed, 2 wrong use. Results go to stdout, talk to stderr. Nothing "
      "is overwritten without `--force`.\n");
  for (const auto& command : commands())
    if (!command.hidden)
      fmt::print("\n## aladdin {}\n\n```text\n{}```\n", command.name, help_of(command));
}

}  // namespace

Command docs_command() {
  return {"docs",
          "Print docs/commands.md",
          "Prints the reference of all commands in Markdown.",
          {},
          [](CLI::App&) { return print_docs; },
          true};
}

}  // namespace aladdin::app
