// aladdin docs: prints docs/commands.md, docs/configuration.md and the list in docs/methods.md from the declarations.
#include <fmt/format.h>

#include "aladdin/config/methods.h"
#include "aladdin/config/reference.h"
#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "command.h"
#include "help.h"
#include "man_page.h"

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
      "Nothing is overwritten without `--force`.\n\n| environment variable | |\n|---|---|\n");
  for (const auto& [name, meaning] : environment_variables())
    fmt::print("| `{}` | {} |\n", name, meaning);
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

// One file per page in `folder`, for the build and for packages.
void write_man_pages(const Path& folder) {
  make_folder(folder);
  write_text(folder / "aladdin.1", man_page_of_all());
  for (const auto& command : commands())
    if (!command.hidden)
      write_text(folder / fmt::format("aladdin-{}.1", command.name), man_page_of(command));
}

}  // namespace

Command docs_command() {
  return {"docs",
          "Print the references of commands, settings and methods, or write the manual pages",
          "Prints the reference of all commands, of all settings or of all methods in Markdown; "
          "'man' writes the manual pages into a folder.",
          {},
          [](CLI::App& app) -> std::function<void()> {
            auto page = std::make_shared<std::string>("commands");
            auto folder = std::make_shared<std::string>();
            app.add_option("PAGE", *page, "commands, configuration, methods or man")
                ->type_name("NAME")
                ->check(CLI::IsMember({"commands", "configuration", "methods", "man"}));
            app.add_option("-o,--output", *folder, "man: folder for the pages")->type_name("DIR");
            return [page, folder] {
              if ((*page == "man") == folder->empty())
                fail_usage("-o DIR is for 'man', and 'man' needs it");
              if (*page == "commands") return print_commands();
              if (*page == "configuration") return print_configuration();
              if (*page == "man") return write_man_pages(*folder);
              fmt::print("{}", methods_reference());
            };
          },
          true};
}

}  // namespace aladdin::app
