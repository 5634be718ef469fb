// aladdin tune: a grid search on the validation subjects.
#include <algorithm>
#include <cstdio>

#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/config/validate.h"
#include "aladdin/config/write.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "command.h"
#include "json.h"
#include "output.h"
#include "trials.h"

namespace aladdin::app {
namespace {

struct Flags {
  CohortFlags cohort;
  std::string output, preset = "default", config, device = "cpu";
  std::vector<std::string> grid, settings;
  double budget = 0;
  bool json = false;
};

struct Axis {
  std::string key;
  std::vector<std::string> values;
};

// "loss.lambda=500,1000": a list of lists is separated by semicolons, "train.epochs=10,10;20,20".
Axis parse_axis(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    fail_usage("--grid '{}' is not of the form KEY=VALUE,VALUE", text);
  Axis axis{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  for (const auto& value : split(values, values.find(';') == std::string::npos ? ',' : ';')) {
    if (trim(value).empty()) fail_usage("--grid '{}' has an empty value", text);
    axis.values.push_back(trim(value));
  }
  return axis;
}

struct Point {
  std::vector<std::string> settings;  // KEY=VALUE, one per axis
  Config config;
  TrialOutcome outcome;

  double dice() const { return outcome.evaluation.bridge.mean.mean; }
};

std::vector<Point> points_of(const std::vector<Axis>& axes, const Config& base) {
  std::vector<Point> points{{{}, base, {}}};
  for (const Axis& axis : axes) {
    std::vector<Point> more;
    for (const Point& point : points)
      for (const auto& value : axis.values) {
        Point next = point;
        next.settings.push_back(fmt::format("{}={}", axis.key, value));
        apply_setting(next.config, next.settings.back());
        more.push_back(std::move(next));
      }
    points = std::move(more);
  }
  return points;
}

Config base_config(const Flags& flags) {
  Config config = preset(flags.preset);
  if (!flags.config.empty()) apply_config_file(config, flags.config);
  for (const auto& setting : flags.settings) apply_setting(config, setting);
  return config;
}

// A folder name, always the same for the same point.
std::string name_of(const Point& point) {
  std::string name;
  for (const auto& setting : point.settings) {
    name += name.empty() ? "" : "_";
    for (const char c : setting)
      name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ? c
              : c == '='                                                          ? '-'
                                                                                  : '+';
  }
  return name;
}

Json to_json(const std::vector<Point>& ranking) {
  Json out = Json::array();
  for (const Point& point : ranking)
    out.push_back({{"settings", point.settings},
                   {"bridge", point.dice()},
                   {"minutes", point.outcome.minutes},
                   {"memory_gb", point.outcome.memory_gb}});
  return out;
}

void run(const Flags& flags) {
  std::vector<Axis> axes;
  for (const auto& text : flags.grid) {
    axes.push_back(parse_axis(text));
    for (std::size_t i = 0; i + 1 < axes.size(); ++i)
      if (axes[i].key == axes.back().key)
        fail_usage("--grid names '{}' twice; list all its values in one --grid", axes[i].key);
  }
  const Config base = base_config(flags);
  Config start = base;
  if (flags.budget > 0) start.train.minutes = flags.budget;
  auto points = points_of(axes, start);
  for (const Point& point : points) validate(point.config);
  require_trial_folder(flags.output, "tune");
  const TrialOptions options{flags.output, flags.cohort, "val", false, flags.device};
  for (std::size_t i = 0; i < points.size(); ++i) {
    log::info("{} ({} of {})", fmt::join(points[i].settings, "  "), i + 1, points.size());
    points[i].outcome = run_trial({name_of(points[i]), points[i].config}, options);
    if (!points[i].outcome.evaluation.has_labels())
      fail("the validation subjects of '{}' have no labels to rank by", flags.cohort.source);
    log::info("  bridge Dice {:.4f}", points[i].dice());
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.dice() > b.dice(); });
  std::string csv = "rank,bridge,minutes,memory_gb";
  for (const Axis& axis : axes) csv += "," + csv_field(axis.key);
  csv += "\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    csv += fmt::format("{},{:.5f},{:.2f},{:.2f}", i + 1, points[i].dice(),
                       points[i].outcome.minutes, points[i].outcome.memory_gb);
    for (const auto& setting : points[i].settings)
      csv += "," + csv_field(setting.substr(setting.find('=') + 1));
    csv += "\n";
  }
  const Path folder = flags.output;
  write_text(folder / "ranking.csv", csv);
  Config winner = points.front().config;
  if (flags.budget > 0) winner.train.minutes = base.train.minutes;  // the budget was for the search
  write_text(folder / "best.toml", to_toml(winner));
  if (flags.json) {
    print_json(to_json(points));
  } else if (log::level() != log::Level::quiet) {
    for (std::size_t i = 0; i < points.size(); ++i)
      put("{:>3}  {:.4f}  {}\n", i + 1, points[i].dice(), fmt::join(points[i].settings, "  "));
  }
  log::info("the best settings are in {}: aladdin build … --config {}",
            (folder / "best.toml").string(), (folder / "best.toml").string());
}

std::function<void()> declare(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  add_cohort_flags(app, flags->cohort);
  app.add_option("-o,--output", flags->output, "Folder for the runs and the ranking")
      ->type_name("DIR")
      ->required();
  add_repeatable(
      app, "--grid", flags->grid, "KEY=VALUES",
      "Values to try, e.g. loss.lambda=0.1,0.3 (of lists: train.epochs=9,9;20,20); repeatable")
      ->required();
  app.add_option("--preset", flags->preset, "Preset for all other settings")
      ->type_name("NAME")
      ->check(CLI::IsMember(preset_names()))
      ->capture_default_str();
  app.add_option("--config", flags->config, "Settings from a TOML file, on top of the preset")
      ->type_name("FILE");
  add_repeatable(app, "--set", flags->settings, "KEY=VALUE",
                 "A setting for every point; repeatable");
  add_budget(app, flags->budget, "Minutes of training for each point");
  add_device(app, flags->device);
  add_json(app, flags->json);
  add_threads(app);
  return [flags] { run(*flags); };
}

}  // namespace

Command tune_command() {
  return {
      "tune",
      "Search for the best settings on the validation subjects",
      "Builds an atlas at every point of a grid of settings, all with the same seed, ranks the points by "
      "the bridge Dice of the validation subjects, and writes the best settings to a TOML file, as the "
      "paper does. Test subjects are not used.\n\n"
      "Finished points are kept: after an interruption, run the same command to resume.",
      {{"tune subjects.csv -o search --grid loss.lambda=0.1,0.3,1 --grid loss.gamma2=0,1 --budget 5",
        "six builds of five minutes each"},
       {"build subjects.csv -o run --config search/best.toml", "build with the best settings"}},
      declare};
}

}  // namespace aladdin::app
