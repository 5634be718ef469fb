// aladdin <command> …: parses the command line, runs one command, turns errors into one sentence.
#include <CLI/CLI.hpp>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "command.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app("Atlases and diffeomorphic registration, learned jointly", "aladdin");
  app.require_subcommand(1);
  std::function<void()> action;
  for (const auto& command : aladdin::app::commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->final_callback([&action, chosen = command.declare(*sub)] { action = chosen; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  action();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const aladdin::Error& error) {
    aladdin::log::write_error(error.what());
    return static_cast<int>(error.exit_code());
  } catch (const std::bad_alloc&) {
    aladdin::log::write_error("not enough memory");
    return 1;
  } catch (const std::exception& error) {
    aladdin::log::write_error(error.what());
    return 1;
  }
}
