// aladdin stats: where the subjects of a run differ with a covariate, voxel by voxel and by structure.
#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/links.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/text.h"
#include "aladdin/measure/mask.h"
#include "aladdin/measure/structures.h"
#include "aladdin/report/findings_page.h"
#include "aladdin/stats/analysis.h"
#include "aladdin/stats/scatter.h"
#include "aladdin/stats/write_findings.h"
#include "command.h"
#include "json.h"
#include "output.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Tests, at every voxel of the atlas and for every structure, whether the size of the subjects of RUN "
    "varies with a covariate while others are held. RUN is a folder that 'aladdin build' made.\n\n"
    "The model is a formula of covariates, as in R: 'age + sex + group', 'age*sex', 'age^2', C(site) for "
    "a category of numbers. Covariates are columns of the cohort's CSV, which a run keeps, or of "
    "--covariates; 'total' is the subject's total volume. Numbers are centred; a category has one column "
    "per level but the first.\n\n"
    "The test is a term of the model (t; F for a category of more than two levels), a combination of "
    "columns such as 'group[AD] - group[MCI]', or 1 for the mean.\n\n"
    "p values are corrected over the atlas by permutation (Freedman and Lane): by the largest statistic, "
    "and by threshold-free cluster enhancement (TFCE). A permutation test that was stopped resumes with "
    "--resume.\n\n"
    "docs/statistics.md has the formulas and an example.";

struct Options {
  std::string run, model, test, output, covariates, blocks, mask, total, names;
  std::string split = "all", measure = "absolute", tail = "empirical";
  double smooth_mm = 4, alpha = .05;
  std::int64_t permutations = 5000;
  std::uint64_t seed = 0;
  bool no_tfce = false, drop_missing = false, resume = false, json = false, force = false;

  Path file(const char* name) const { return Path(output) / name; }
  Path state() const { return file("permutations.state"); }
};

// Who is analysed, with all that is known of them.
struct Subjects {
  std::vector<evaluate::SourceSubject> all;
  stats::Table table;
};

stats::Table table_of(const evaluate::Source& source) {
  stats::Table table;
  for (const auto& subject : source.subjects) {
    table.ids.push_back(subject.id);
    for (const auto& name : source.covariates) {
      const auto found = subject.covariates.find(name);
      table.columns[name].push_back(found == subject.covariates.end() ? "" : found->second);
    }
  }
  return table;
}

template <class Keep>
void keep_subjects(Subjects& subjects, const Keep& keep) {
  std::vector<std::string> ids;
  std::erase_if(subjects.all, [&](const auto& subject) { return !keep(subject.id); });
  for (const auto& subject : subjects.all) ids.push_back(subject.id);
  subjects.table = stats::select_rows(subjects.table, ids);
}

// The cohort's covariates, with those of --covariates over them; who has no line there is left out.
Subjects find_subjects(const Options& options, const evaluate::Source& source) {
  Subjects subjects{source.subjects, table_of(source)};
  if (options.covariates.empty()) return subjects;
  const stats::Table given = stats::read_table(options.covariates);
  const auto known = [&](const std::string& id) { return std::ranges::count(given.ids, id) > 0; };
  const std::size_t before = subjects.all.size();
  keep_subjects(subjects, known);
  if (subjects.all.empty())
    fail("'{}': none of its ids is a subject of '{}', such as '{}'", options.covariates,
         options.run, source.subjects.front().id);
  if (subjects.all.size() < before)
    log::warn("{} of the run left out: no line in '{}'",
              counted(static_cast<long long>(before - subjects.all.size()), "subject"),
              options.covariates);
  for (const auto& [name, values] : stats::select_rows(given, subjects.table.ids).columns)
    subjects.table.columns[name] = values;
  return subjects;
}

// Subjects without a value of the model or of --blocks: dropped if asked, else make_design refuses the former.
void drop_missing(const Options& options, const stats::Formula& formula, Subjects& subjects) {
  std::vector<std::string> missing = stats::incomplete_subjects(formula, subjects.table);
  if (!options.blocks.empty()) {
    const auto& blocks = subjects.table.column(options.blocks);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!blocks[i].empty()) continue;
      missing.push_back(subjects.table.ids[i]);
      if (!options.drop_missing)
        throw Error(fmt::format("the subject '{}' has no value of '{}', which --blocks names",
                                missing.back(), options.blocks),
                    ExitCode::usage)
            .hint("complete the table, or omit such subjects with --drop-missing");
    }
  }
  if (!options.drop_missing || missing.empty()) return;
  const std::size_t before = subjects.all.size();
  keep_subjects(subjects, [&](const auto& id) { return std::ranges::count(missing, id) == 0; });
  if (subjects.all.empty())
    throw Error("every subject lacks a value of the model", ExitCode::usage)
        .hint("complete the table, or remove the covariate that is empty from the model");
  log::warn("{} left out: a covariate has no value",
            counted(static_cast<long long>(before - subjects.all.size()), "subject"));
}

struct Measurements {
  std::vector<float> maps;  // [voxel * subjects + subject]
  std::vector<measure::SubjectMeasures> sizes;
};

Measurements measure_all(const Options& options, const measure::Measurer& measurer,
                         const std::vector<evaluate::SourceSubject>& subjects,
                         const std::vector<std::int64_t>& voxels) {
  const std::size_t count = subjects.size();
  Measurements found{std::vector<float>(voxels.size() * count), {}};
  found.sizes.resize(count);
  Progress progress("measuring", static_cast<std::int64_t>(count));
  parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    const auto s = static_cast<std::size_t>(i);
    auto measured = measurer.measure(subjects[s]);
    const Image& map = options.measure == "absolute" ? measured.absolute : measured.relative;
    for (std::size_t v = 0; v < voxels.size(); ++v)
      found.maps[v * count + s] = map.values[static_cast<std::size_t>(voxels[v])];
    found.sizes[s] = std::move(measured.measures);
    progress.advance();
  });
  return found;
}

// Native volumes where every subject has a label map, else those that the transforms give. A total that is held
// has nothing left to test.
stats::StructureData structures_of(const std::vector<measure::SubjectMeasures>& sizes,
                                   bool with_total, stats::Findings& findings) {
  stats::StructureData data;
  const auto subjects = static_cast<std::int64_t>(sizes.size());
  const bool native = std::ranges::all_of(sizes, [](const auto& one) {
    return std::ranges::all_of(one.structures, [](const auto& s) { return !std::isnan(s.volume); });
  });
  for (const auto& structure : sizes.front().structures) {
    data.labels.push_back(structure.label);
    data.names.push_back(structure.name);
  }
  if (!with_total) {
    data.labels.pop_back();
    data.names.pop_back();
  }
  data.volumes.rows = static_cast<std::int64_t>(data.labels.size());
  data.volumes.subjects = subjects;
  for (std::size_t r = 0; r < data.labels.size(); ++r)
    for (const auto& one : sizes)
      data.volumes.values.push_back(static_cast<float>(native ? one.structures[r].volume
                                                              : one.structures[r].jacobian_volume));
  findings.notes.push_back(native ? "Volumes of structures are those of the native label maps."
                                  : "Volumes of structures are those that the transforms give.");
  return data;
}

// 'total' is a covariate that is measured, unless the table has one. True: it is still to be filled.
bool add_total_to_be(stats::Table& table) {
  if (table.has("total")) return false;
  table.columns["total"].assign(table.ids.size(), "0");
  return true;
}

std::vector<std::string> totals(const std::vector<measure::SubjectMeasures>& sizes) {
  std::vector<std::string> column;
  for (const auto& one : sizes) {
    const auto& total = one.structures.back();
    column.push_back(
        fmt::format("{}", std::isnan(total.volume) ? total.jacobian_volume : total.volume));
  }
  return column;
}

Image shown(const Image& atlas) {
  Image image = atlas;
  const auto [low, high] = std::ranges::minmax(image.values);
  const float scale = high > low ? 1 / (high - low) : 0;
  for (float& value : image.values) value = (value - low) * scale;
  return image;
}

stats::Findings begin(const Options& options, const evaluate::Source& source,
                      const measure::Measurer& measurer, const stats::Formula& formula) {
  stats::Findings findings;
  findings.title = fmt::format("{} in {}", options.test, source.name);
  findings.model = formula.text();
  findings.test = options.test;
  findings.measure = fmt::format(
      "{} log-Jacobian{}", options.measure,
      options.smooth_mm > 0 ? fmt::format(", smoothed by {:g} mm", options.smooth_mm) : "");
  findings.alpha = options.alpha;
  findings.atlas = shown(measurer.atlas());
  findings.labels = measurer.labels();
  findings.label_names = source.label_names;
  for (std::size_t v = 0; v < measurer.mask().size(); ++v)
    if (measurer.mask()[v] != 0) findings.voxels.push_back(static_cast<std::int64_t>(v));
  return findings;
}

stats::AnalysisOptions analysis_of(const Options& options) {
  stats::AnalysisOptions how;
  how.permutations = options.permutations;
  how.tfce = !options.no_tfce;
  how.tail = stats::parse_tail(options.tail);
  how.seed = options.seed;
  how.state = options.state();
  how.resume = options.resume;
  return how;
}

void require_output(const Options& options) {
  std::error_code ignored;
  if (!options.force && !options.resume && std::filesystem::exists(options.state(), ignored))
    throw Error(fmt::format("'{}' has a test that was stopped", options.output), ExitCode::usage)
        .hint("resume it with --resume, or start over with --force");
  require_writable(options.file("stats.json"), options.force || options.resume);
}

void run(const Options& options) {
  const stats::Formula formula = stats::parse_formula(options.model);
  stats::AnalysisOptions how = analysis_of(options);
  stats::require_enough(how.tail, how.permutations);
  auto source = evaluate::source_of_run(options.run, options.split, evaluate::Unlabelled::keep);
  put_names(options.names, source.label_names);
  require_output(options);
  Subjects subjects = find_subjects(options, source);

  measure::MeasureOptions measures;
  measures.smooth_mm = options.smooth_mm;
  measures.total = parse_labels("--total", options.total);
  const measure::Measurer measurer(source, measures, measure::read_mask(options.mask, source));
  const bool no_total = add_total_to_be(subjects.table);
  drop_missing(options, formula, subjects);
  // A wrong model is refused before anything is measured, as far as it is known.
  const bool measures_total = no_total && formula.uses("total");
  const stats::Design known =
      stats::make_design(measures_total ? formula.without("total") : formula, subjects.table);
  if (!measures_total) stats::make_contrast(known, options.test);

  stats::Findings findings = begin(options, source, measurer, formula);
  Measurements measured = measure_all(options, measurer, subjects.all, findings.voxels);
  if (no_total) subjects.table.columns["total"] = totals(measured.sizes);
  const stats::Design design = stats::make_design(formula, subjects.table);
  const stats::Contrast contrast = stats::make_contrast(design, options.test);
  if (!options.json) put("{}", stats::to_text(design));

  findings.ids = subjects.table.ids;
  findings.data = std::move(measured.maps);
  stats::put_scatter(formula, design, contrast, subjects.table, findings);
  const auto structures = structures_of(measured.sizes, !measures_total, findings);
  make_folder(options.output);
  {
    const StopRequests stops(true);
    Progress progress("permutations", options.permutations);
    how.advance = [&](std::int64_t by) { progress.advance(by); };
    stats::analyse(
        design, contrast,
        options.blocks.empty() ? std::vector<std::string>{} : subjects.table.column(options.blocks),
        structures, how, findings);
  }
  write_findings(options.output, findings);
  write_text(options.file("design.csv"), stats::to_csv(design));
  write_text(options.file("page.html"), report::findings_page(findings));
  std::error_code ignored;
  std::filesystem::remove(options.state(), ignored);
  if (options.json)
    print_json(stats::record_of(findings));
  else
    put("{}", stats::to_text(findings));
  log::info("maps, tables and page.html are in {}", options.output);
}

std::string check_number(const std::string& text, double low, double high) {
  const auto number = parse_number(text);
  return number && *number >= low && *number <= high
             ? ""
             : fmt::format("'{}', expected a number from {:g} to {:g}", text, low, high);
}

void add_model(CLI::App& app, Options& options) {
  const auto option = [&](const char* name, std::string& to, const char* type, const char* text) {
    return app.add_option(name, to, text)->type_name(type);
  };
  option("--model", options.model, "FORMULA", "Covariates of the model, such as 'age + sex'")
      ->required();
  option("--test", options.test, "TERM", "What is tested: a term, a combination of columns, or 1")
      ->required();
  option("--covariates", options.covariates, "CSV",
         "Table with a column 'id'; adds to or replaces the cohort's covariates");
  option("--blocks", options.blocks, "COLUMN",
         "Covariate that names what belongs together (repeated scans); permutations respect it");
  option("--measure", options.measure, "KIND", "Log-Jacobian that is modelled")
      ->capture_default_str()
      ->check(CLI::IsMember({"absolute", "relative"}));
  app.add_option("--smooth", options.smooth_mm, "Full width at half maximum of the smoothing")
      ->type_name("MM")
      ->capture_default_str()
      ->check([](const std::string& text) { return check_number(text, 0, 1e3); });
  option("--total", options.total, "LABELS",
         "Labels that make up 'total', such as 1,2,3 (default: all)");
  option(
      "--mask", options.mask, "FILE",
      "Analysed part, on the atlas grid (default: the labels of the atlas, else its foreground)");
  option("--split", options.split, "NAME", "Subjects to analyse")
      ->capture_default_str()
      ->check(CLI::IsMember({"all", "train", "val", "test"}));
  app.add_flag("--drop-missing", options.drop_missing,
               "Omit subjects that lack a value of the model");
}

void add_inference(CLI::App& app, Options& options) {
  app.add_option("--permutations", options.permutations,
                 "Number of permutations; 0: only t or F, p and FDR")
      ->type_name("N")
      ->capture_default_str()
      ->check([](const std::string& text) { return check_number(text, 0, 1e7); });
  app.add_flag("--no-tfce", options.no_tfce, "Correct by the largest statistic alone");
  app.add_option(
         "--tail", options.tail,
         "How p is read from the permuted maxima: by counting, or from a fitted tail, which "
         "reaches below 1 / N")
      ->type_name("KIND")
      ->capture_default_str()
      ->check(CLI::IsMember({"empirical", "gamma", "pareto"}));
  app.add_option("--alpha", options.alpha, "Corrected p of the clusters that are listed")
      ->type_name("P")
      ->capture_default_str()
      ->check([](const std::string& text) { return check_number(text, 1e-9, 1); });
  app.add_flag("--resume", options.resume, "Resume permutations that were stopped");
}

std::function<void()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->run, "Run directory")->type_name("DIR")->required();
  add_model(app, *options);
  app.add_option("-o,--output", options->output, "Folder for maps, tables and page")
      ->type_name("DIR")
      ->required();
  add_inference(app, *options);
  add_names(app, options->names);
  add_seed(app, options->seed);
  add_json(app, options->json);
  add_force(app, options->force);
  add_threads(app);
  return [options] { run(*options); };
}

}  // namespace

Command stats_command() {
  return {"stats",
          "Test where sizes vary with a covariate, corrected by permutation",
          kDescription,
          {{"stats run --model 'age + sex' --test age -o ageing", "what shrinks or grows with age"},
           {"stats run --model 'group + age + total' --test group --covariates table.csv -o groups",
            "what differs between groups of the same age and size"},
           {"stats run --model 'group*age' --test 'group:age' -o rates",
            "where the groups age differently"},
           {"stats run --model 'time + C(subject)' --test time --blocks subject -o change",
            "what changes within subjects that were scanned again"}},
          declare};
}

}  // namespace aladdin::app
