// aladdin docs: prints docs/commands.md, docs/configuration.md and the list in docs/methods.md from the declarations.
#include <fmt/format.h>

#include "aladdin/config/methods.h"
#include "aladdin/config/reference.h"
#include "command.h"
#include "help.h"

namespace aladdin::app {
namespace {

void print_commands() {
  fmt::print(
      "# Commands\n\nMade by `./run docs` from the declarations in `apps/aladdin/commands/`; a test fails "
      "when this page is stale.\n\n| command | |\n|---|---|\n");
  for (const auto& command : commands())
    if (!command.hidden)
      fmt::print("| [`aladdin {0}`](#aladdin-{0}) | {1} |\n", command.name, command.summary);
  fmt::print(
      "\nExit codes: 0 done, 1 failed, 2 wrong use. Results go to stdout, messages to stderr. "
      "Nothing is overwritten without `--force`.\n\n| environment variable | |\n|---|---|\n"
      "| `ALADDIN_CACHE` | folder for the images of a cohort that does not fit into memory (default: "
      "`$XDG_CACHE_HOME/aladdin`, else `~/.cache/aladdin`) |\n"
      "| `ALADDIN_SIMD` | `baseline`, `avx2` or `avx512`, to use less than the processor has |\n"
      "| `OMP_WAIT_POLICY`, `GOMP_SPINCOUNT` | how threads wait; set one to keep `aladdin build` from "
      "choosing |\n");
  for (const auto& command : commands())
    if (!command.hidden)
      fmt::print("\n## aladdin {}\n\n```text\n{}```\n", command.name, help_of(command));
}

void print_configuration() {
  fmt::print(
      "# Configuration\n\nMade by `./run docs` from `src/config/visit.h` and `configs/`; a test "
      "fails when this page is stale.\n\n"
      "Every setting of `aladdin build` has a name. A preset (`--preset`) sets them all; a TOML file "
      "(`--config mine.toml`) changes some; a flag changes one (`--set train.rate=1e-4`, or "
      "`--rate 1e-4` if the setting has its own). Later ones win, in this order. An unknown name or an "
      "invalid value is an error before any work, which names the nearest setting. `config.toml` in a "
      "run directory records all settings and can be given to `--config`.\n\n"
      "```toml\n[loss]\nsimilarity = \"ncc\"\n\n[train]\nepochs = [50, 50, 20]\n```\n\n{}",
      config_reference());
}

}  // namespace

Command docs_command() {
  return {"docs",
          "Print docs/commands.md, docs/configuration.md or the list of docs/methods.md",
          "Prints the reference of all commands, of all settings or of all methods in Markdown.",
          {},
          [](CLI::App& app) -> std::function<void()> {
            auto page = std::make_shared<std::string>("commands");
            app.add_option("PAGE", *page, "commands, configuration or methods")
                ->type_name("NAME")
                ->check(CLI::IsMember({"commands", "configuration", "methods"}));
            return [page] {
              if (*page == "commands") return print_commands();
              if (*page == "configuration") return print_configuration();
              fmt::print("{}", methods_reference());
            };
          },
          true};
}

}  // namespace aladdin::app
