// aladdin toy: all that a new command takes, in one file.
#include <fmt/format.h>

#include "command.h"

namespace aladdin::app {

Command toy_command() {
  return {"toy",
          "Greet somebody",
          "Prints a greeting.",
          {{"toy --name Ada", "greet Ada"}},
          [](CLI::App& app) -> std::function<void()> {
            auto name = std::make_shared<std::string>("world");
            app.add_option("--name", *name, "Who is greeted")->type_name("NAME");
            return [name] { fmt::print("hello, {}\n", *name); };
          }};
}

}  // namespace aladdin::app
