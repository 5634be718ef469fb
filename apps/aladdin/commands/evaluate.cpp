// aladdin evaluate: the paper's measures, for a run or for the transforms of any program.
#include <cstdio>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/shard.h"
#include "aladdin/evaluate/comparison.h"
#include "aladdin/evaluate/evaluation_part.h"
#include "command.h"
#include "evaluate_files.h"
#include "json.h"
#include "output.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Measures an atlas as the paper does, from the labels of the subjects and the transforms between "
    "them and the atlas. RUN is a folder made by 'aladdin build'.\n\n"
    "Dice comes in four kinds. bridge: the labels of all other subjects, carried through the atlas, "
    "against the subject's own, in the subject's own space. image: the atlas's labels against the "
    "subject's. atlas: each subject's labels in atlas space against the vote of all. atlas pairs: the "
    "same for every pair of subjects.\n\n"
    "By default the votes of the bridge are summed in atlas space, which takes one transform per "
    "subject. --exact composes the transforms of every pair and interpolates once.\n\n"
    "Several runs are compared by their bridge Dice, paired by subject, with Wilcoxon's signed-rank "
    "test and Holm's correction.\n\n"
    "Without a RUN, evaluate reads the transforms of any program that writes ITK's formats (ANTs, "
    "Greedy, SimpleITK): name the label maps with --labels and the transforms with --to-atlas and "
    "--to-native, with {id} for the subject. --to-atlas lives on the atlas grid and pulls a subject "
    "into atlas space; --to-native pulls the atlas to the subject. If only one is given, the other is "
    "its numerical inverse.\n\n"
    "Subjects without labels have no Dice; label-free measures are still reported.\n\n"
    "An array job shares the work: in each task --shard 2/8 measures every eighth subject against the "
    "votes of all and writes its part; --merge then combines the parts to the results of a single "
    "process.\n\n"
    "docs/evaluation.md has the formula of every measure.";

struct Options {
  std::vector<std::string> runs, groups, merge;
  FileFlags files;
  std::string split, csv, shard, part, names;
  bool exact = false, no_surfaces = false, json = false, force = false;
};

std::vector<evaluate::Source> find_sources(const Options& options) {
  std::vector<evaluate::Source> sources;
  if (options.runs.empty()) {
    if (!options.files.given())
      fail_usage("expected a RUN, or --labels and --to-atlas, or parts to --merge");
    sources.push_back(source_of_files(options.files, options.split));
    return sources;
  }
  if (options.files.given())
    fail_usage("--cohort, --labels, --to-atlas and --to-native are for transforms without a RUN");
  for (const auto& folder : options.runs) {
    sources.push_back(evaluate::source_of_run(folder, options.split));
    if (options.files.atlas_labels == "vote")
      sources.back().segmentation.clear();
    else if (!options.files.atlas_labels.empty())
      sources.back().segmentation = options.files.atlas_labels;
  }
  return sources;
}

void print(const std::vector<evaluate::Evaluation>& all, const std::vector<evaluate::Group>& groups,
           bool json) {
  const auto tests = evaluate::compare(all, groups);
  if (json) {
    Json out{{"evaluations", Json::array()}, {"comparisons", evaluate::to_json(tests)}};
    for (const auto& one : all) out["evaluations"].push_back(evaluate::to_json(one, groups));
    print_json(out);
    return;
  }
  for (const auto& one : all) put("{}{}", &one == &all.front() ? "" : "\n", to_text(one, groups));
  if (all.size() > 1) put("\n{}", evaluate::to_text(all, groups, tests));
}

void require_sense(const Options& options) {
  if (options.shard.empty() != options.part.empty())
    fail_usage("--shard needs --part, the file for its results, and --part needs --shard");
  if (!options.shard.empty() && options.runs.size() > 1)
    fail_usage("--shard takes one RUN; --merge compares several");
  if (!options.shard.empty() && (options.json || !options.csv.empty()))
    fail_usage("--json and --csv need all shares: use them with --merge");
  const bool source = !options.runs.empty() || options.files.given();
  if (!options.merge.empty() && (source || !options.shard.empty() || options.exact ||
                                 options.no_surfaces || !options.split.empty()))
    fail_usage(
        "--merge takes only parts: the other flags belong to the command that measured them");
}

std::vector<evaluate::Evaluation> merged(const Options& options) {
  std::vector<evaluate::Evaluation> parts;
  for (const auto& path : options.merge) parts.push_back(evaluate::read_part(path));
  return evaluate::merge_parts(std::move(parts));
}

std::vector<evaluate::Evaluation> measured(const Options& options) {
  evaluate::EvaluationOptions how;
  how.exact = options.exact;
  how.surfaces = !options.no_surfaces;
  if (!options.shard.empty()) how.shard = parse_shard(options.shard);
  std::vector<evaluate::Evaluation> all;
  for (const auto& source : find_sources(options)) all.push_back(evaluate::evaluate(source, how));
  return all;
}

void run(const Options& options) {
  require_sense(options);
  std::vector<evaluate::Group> groups;
  for (const auto& text : options.groups) groups.push_back(evaluate::parse_group(text));
  for (const auto& file : {options.csv, options.part})
    if (!file.empty()) require_writable(file, options.force);
  LabelNames names;
  if (!options.names.empty()) names = read_label_names(options.names);
  auto all = options.merge.empty() ? measured(options) : merged(options);
  for (auto& one : all)
    for (const auto& [label, name] : names) one.label_names[label] = name;
  if (!options.part.empty()) {
    evaluate::write_part(options.part, all.front());
    return;
  }
  for (const auto& one : all) evaluate::require_labels(one, groups);
  if (!options.csv.empty()) write_text(options.csv, evaluate::to_csv(all, groups));
  print(all, groups, options.json);
}

std::function<void()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->runs, "Run directories; several are compared")->type_name("DIR");
  add_file_flags(app, options->files);
  app.add_option(
         "--split", options->split,
         "Subjects to measure (default: val if there are any, else all; labelled ones first)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"train", "val", "test", "all"}));
  add_repeatable(app, "--group", options->groups, "NAME=LABELS",
                 "Average these structures, e.g. bone=1,3; repeatable");
  add_names(app, options->names);
  app.add_flag("--exact", options->exact,
               "Compose the transforms of every pair for the bridge Dice");
  app.add_flag("--no-surfaces", options->no_surfaces, "Omit the surface distances");
  app.add_option("--csv", options->csv, "Write the results of every subject")->type_name("FILE");
  app.add_option("--shard", options->shard, "Measure one share, such as 2/8, and write --part")
      ->type_name("I/N");
  app.add_option("--part", options->part, "File for the results of the share")->type_name("FILE");
  app.add_option("--merge", options->merge, "Combine the parts of all shares")->type_name("FILE");
  add_json(app, options->json);
  add_force(app, options->force);
  add_nan(app);
  add_threads(app);
  return [options] { run(*options); };
}

}  // namespace

Command evaluate_command() {
  return {"evaluate",
          "Measure an atlas and its registrations",
          kDescription,
          {{"evaluate run", "the validation subjects of a run"},
           {"evaluate run --split test --exact --csv test.csv", "the results to publish"},
           {"evaluate run --group bone=1,3 --group cartilage=2,4", "as Table 2 of the paper"},
           {"evaluate first second third", "side by side, with paired tests"},
           {"evaluate --labels 'labels/{id}.nii.gz' --to-atlas 'warps/{id}_1Warp.nii.gz'",
            "fields of another program, with numerical inverses"},
           {"evaluate run --exact --shard $SLURM_ARRAY_TASK_ID/8 --part p$SLURM_ARRAY_TASK_ID.json",
            "one of eight tasks of an array job"},
           {"evaluate --merge p*.json --csv all.csv", "the results of all tasks"}},
          declare};
}

}  // namespace aladdin::app
