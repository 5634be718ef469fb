// aladdin compare: the paper's table of methods on your own cohort.
#include <algorithm>
#include <cstdio>

#include "aladdin/config/read.h"
#include "aladdin/config/validate.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "command.h"
#include "method_table.h"
#include "output.h"

namespace aladdin::app {
namespace {

struct Flags {
  CohortFlags cohort;
  std::string output, methods = "all", split, device = "cpu";
  std::vector<std::string> groups, settings;
  double budget = 0;
  bool exact = false, json = false;
};

// KEY=VALUE for all lines, or LINES:KEY=VALUE for some.
struct Change {
  std::vector<MethodLine> lines;  // empty: all
  std::string setting;

  explicit Change(const std::string& text) : setting(text) {
    const auto colon = text.find(':');
    if (colon == std::string::npos || colon > text.find('=')) return;
    setting = text.substr(colon + 1);
    lines = parse_methods(text.substr(0, colon));
  }
  bool concerns(const MethodLine& line) const {
    return lines.empty() || std::ranges::find(lines, line.id, &MethodLine::id) != lines.end();
  }
};

Config config_of(const MethodLine& line, const Flags& flags) {
  Config config = line.config();
  if (flags.budget > 0) config.train.minutes = flags.budget;
  for (const auto& text : flags.settings)
    if (const Change change(text); change.concerns(line)) apply_setting(config, change.setting);
  validate(config);
  return config;
}

// The test subjects, or those of val if there are none.
std::string split_of(const Flags& flags) {
  if (!flags.split.empty()) return flags.split;
  const Cohort cohort = read_cohort(flags.cohort.source, flags.cohort.cohort);
  for (const char* split : {"test", "val"})
    for (const Subject& subject : cohort.subjects)
      if (subject.split == split && subject.label) return split;
  throw Error(
      fmt::format("'{}' has no labelled subject in test or val to measure on", flags.cohort.source),
      ExitCode::usage)
      .hint("add a split column, or measure the training subjects with --split train");
}

// For a reader who has only the table.
std::string how_measured(const Flags& flags, const std::string& split) {
  std::string out = fmt::format("Measured on the subjects of '{}' of {}, {} bridge; flags", split,
                                flags.cohort.source, flags.exact ? "exact" : "voted");
  if (flags.budget > 0) out += fmt::format(" --budget {:g}", flags.budget);
  for (const auto& word : grid_and_cohort_words(flags.cohort)) out += " " + word;
  for (const auto& setting : flags.settings) out += " --set " + setting;
  return out;
}

void write_table(const MethodTable& table, const Path& folder) {
  write_text(folder / "table.csv", to_csv(table));
  write_text(folder / "table.md", to_markdown(table));
  write_text(folder / "table.tex", to_latex(table));
  write_text(folder / "table.json", to_json_text(table));
  write_text(folder / "table.html", to_page(table));
}

void run(const Flags& flags) {
  MethodTable table;
  table.title = fmt::format("Methods compared on {}", flags.cohort.source);
  for (const auto& text : flags.groups) table.groups.push_back(evaluate::parse_group(text));
  const auto lines = parse_methods(flags.methods);
  for (const MethodLine& line : lines)
    table.results.push_back({line, config_of(line, flags), {}, ""});
  // Checked even for lines that were not chosen, so that a typo shows before any work.
  for (const auto& text : flags.settings)
    for (const MethodLine& line : Change(text).lines) config_of(line, flags);
  const TrialOptions options{flags.output, flags.cohort, split_of(flags), flags.exact,
                             flags.device};
  table.how = how_measured(flags, options.split);
  require_trial_folder(flags.output, "compare");
  bool failed = false;
  for (std::size_t i = 0; i < table.results.size(); ++i) {
    MethodResult& result = table.results[i];
    log::info("{:<3} {} ({} of {})", result.line.id, result.line.name, i + 1, table.results.size());
    try {
      result.outcome = run_trial({result.line.id, result.config}, options);
      if (!result.outcome->evaluation.has_labels())
        fail("the subjects of the split '{}' have no labels", options.split);
      evaluate::require_labels(result.outcome->evaluation, table.groups);
    } catch (const Error& error) {
      if (error.exit_code() == ExitCode::usage) throw;
      result.failure = error.what();
      log::warn("{}", result.failure);
      failed = true;
    }
    MethodTable so_far = table;
    so_far.results.resize(i + 1);
    write_table(so_far, flags.output);
  }
  if (flags.json || log::level() != log::Level::quiet)
    put("{}", flags.json ? to_json_text(table) : to_text(table));
  log::info("the table is in {} (.md, .csv, .tex, .json)",
            (Path(flags.output) / "table.html").string());
  if (failed) fail("some lines of the table failed");
}

std::function<void()> declare(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  add_cohort_flags(app, flags->cohort);
  app.add_option("-o,--output", flags->output, "Folder for the runs and the table")
      ->type_name("DIR")
      ->required();
  app.add_option("--methods", flags->methods, "all, or rows (J) and lines (J3) of the table")
      ->type_name("LIST")
      ->capture_default_str();
  add_budget(app, flags->budget, "Minutes of training for each line");
  app.add_option("--split", flags->split,
                 "Subjects to measure (default: test if there are any, else val)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"train", "val", "test", "all"}));
  add_repeatable(app, "--group", flags->groups, "NAME=LABELS",
                 "Average these structures, e.g. bone=1,3; repeatable");
  add_repeatable(app, "--set", flags->settings, "[LINES:]KEY=VALUE",
                 "A setting for all lines, or for some: J,K3:train.rate=1e-3; repeatable");
  app.add_flag("--exact", flags->exact, "Compose the transforms of every pair for the bridge Dice");
  add_device(app, flags->device);
  add_json(app, flags->json);
  add_threads(app);
  return [flags] { run(*flags); };
}

}  // namespace

Command compare_command() {
  return {
      "compare",
      "Run the paper's table of methods on a cohort",
      "Builds an atlas of the training subjects with every method of the paper's Table 2 (rows A to K, "
      "and L, this program's default), measures the bridge Dice on the test subjects, and prints the "
      "table with the paper's findings tested on it. docs/methods.md describes the methods.\n\n"
      "Each line is a separate build in DIR/LINE/run. Finished lines are kept: after an interruption, run "
      "the same command to resume; name more --methods to add them. The table shows the methods that the "
      "command names. --budget gives each line the same time; methods without a network may finish "
      "earlier.",
      {{"compare subjects.csv -o table --budget 10", "ten minutes for each line"},
       {"compare knees/cohort.csv -o table --methods A,B,J,L --group bone=1,3 --group cartilage=2,4",
        "some methods, with groups as in the paper"}},
      declare};
}

}  // namespace aladdin::app
