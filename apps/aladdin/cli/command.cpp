#include "command.h"

#include <algorithm>
#include <filesystem>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_names.h"

namespace aladdin::app {

namespace {

// The order of a study. A command that is not named here comes after these, by its name.
constexpr const char* kOrder[] = {"build",  "register",  "atlas", "evaluate",  "measure",
                                  "stats",  "compare",   "tune",  "report",    "segment",
                                  "cohort", "info",      "warp",  "transform", "snapshot",
                                  "synth",  "completion"};

std::vector<Command> in_order(std::vector<Command> commands) {
  const auto place = [](const Command& command) {
    return std::pair(std::find(std::begin(kOrder), std::end(kOrder), command.name), command.name);
  };
  std::ranges::sort(commands, {}, place);
  return commands;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = in_order(declared_commands());
  return all;
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& command : commands()) {
    if (command.name == name) return command;
    if (!command.hidden) names.push_back(command.name);
  }
  const std::string nearest = did_you_mean(name, names);
  throw Error(fmt::format("there is no command '{}'", name), ExitCode::usage)
      .hint(nearest.empty() ? "'aladdin --help' lists the commands" : nearest);
}

void add_threads(CLI::App& app) {
  app.add_option_function<int>(
         "--threads", [](int count) { set_threads(count); }, "Number of threads (0: all cores)")
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
  // As text: CLI11 would wrap a negative number around.
  const auto take = [&seed](const std::string& text) {
    const auto value = parse_integer(text);
    if (!value || *value < 0) throw CLI::ConversionError(text, "--seed");
    seed = static_cast<std::uint64_t>(*value);
  };
  app.add_option_function<std::string>("--seed", take, "Seed of all random numbers")
      ->type_name("N")
      ->default_str(std::to_string(seed));
}

void add_nan(CLI::App& app) {
  app.add_option_function<std::string>(
         "--nan",
         [](const std::string& name) {
           set_nan_policy(name == "zero" ? NanPolicy::zero : NanPolicy::refuse);
         },
         "NaN in images: refuse them, or take NaN as 0, a background")
      ->type_name("NAME")
      ->check(CLI::IsMember({"refuse", "zero"}))
      ->default_str("refuse");
}

void add_budget(CLI::App& app, double& minutes, const std::string& meaning) {
  app.add_option("--budget", minutes, meaning)
      ->type_name("MINUTES")
      ->check([](const std::string& text) {
        const auto number = parse_number(text);
        return number && *number >= 0 ? "" : fmt::format("'{}', expected minutes, 0 or more", text);
      });
}

Path own_program() {
  std::error_code failed;
  const Path found = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed || !std::filesystem::exists(found, failed) ? Path("/proc/self/exe") : found;
}

void add_device(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "Device to train on: cpu, cuda, cuda:1")
      ->type_name("NAME")
      ->capture_default_str();
}

void add_names(CLI::App& app, std::string& file) {
  app.add_option(
         "--names", file,
         "Names of the labels: a CSV or TSV with label and name, or a colour table of FreeSurfer "
         "or ITK-SNAP (default: the names in the cohort)")
      ->type_name("FILE");
}

void add_fields(CLI::App& app, std::string& which) {
  app.add_option("--fields", which,
                 "Grid of from-atlas_to-native: that of the registration, or that of the image")
      ->type_name("registration|native")
      ->check(CLI::IsMember({"registration", "native"}))
      ->capture_default_str();
}

CLI::Option* add_repeatable(CLI::App& app, const std::string& flag,
                            std::vector<std::string>& values, const std::string& type,
                            const std::string& meaning) {
  return app.add_option(flag, values, meaning)
      ->type_name(type)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void put_names(const std::string& file, std::map<std::int32_t, std::string>& names) {
  if (file.empty()) return;
  for (const auto& [label, name] : read_label_names(file)) names[label] = name;
}

std::vector<std::int32_t> parse_labels(const std::string& flag, const std::string& text) {
  std::vector<std::int32_t> labels;
  if (text.empty()) return labels;
  for (const auto& part : split(text, ',')) {
    const auto label = parse_integer(trim(part));
    if (!label || *label == 0 || std::abs(*label) > INT32_MAX)
      fail_usage("{} {}: expected labels, such as 1,2,3", flag, text);
    labels.push_back(static_cast<std::int32_t>(*label));
  }
  return labels;
}

}  // namespace aladdin::app
