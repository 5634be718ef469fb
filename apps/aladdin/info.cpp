#include <fmt/format.h>

#include "aladdin/core/files.h"
#include "aladdin/image/io.h"
#include "command.h"

namespace aladdin::app {

Command info_command() {
  return {"info", "Describe images, label maps and transforms", "Prints geometry.", {},
          [](CLI::App& app) {
            auto files = std::make_shared<std::vector<std::string>>();
            app.add_option("FILE", *files, "Files to describe")->required();
            return [files] {
              for (const auto& file : *files) {
                const auto header = read_header(file);
                fmt::print("{}: {} {}\n", file, describe(header.grid), header.type);
              }
            };
          }};
}

}  // namespace aladdin::app
