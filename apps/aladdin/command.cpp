#include "command.h"

#include "aladdin/core/parallel.h"

namespace aladdin::app {

Command cohort_command();
Command info_command();
Command snapshot_command();
Command synth_command();
Command warp_command();

const std::vector<Command>& commands() {
  static const std::vector<Command> all{cohort_command(), info_command(), warp_command(), snapshot_command(),
                                        synth_command()};
  return all;
}

void add_threads(CLI::App& app) {
  app.add_option_function<int>("--threads", [](int count) { set_threads(count); },
                               "Number of threads (0: all cores)")
      ->type_name("N")
      ->default_str("0");
}

void add_force(CLI::App& app, bool& force) {
  app.add_flag("--force", force, "Overwrite files that exist");
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print the results as JSON");
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  app.add_option("--seed", seed, "Seed of all random numbers")->type_name("N")->capture_default_str();
}

}  // namespace aladdin::app
