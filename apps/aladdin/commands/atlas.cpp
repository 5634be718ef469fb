// aladdin atlas: the atlas of a subgroup, of an age, of any covariates, from a finished run.
#include "aladdin/condition/write.h"
#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/log.h"
#include "aladdin/report/atlas_page.h"
#include "atlas_flags.h"
#include "command.h"
#include "json.h"
#include "versions.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Makes the atlas of a part of a run's cohort: of a subgroup, of an age, of any value of the covariates. "
    "Nothing is trained: the registrations of RUN, a folder that 'aladdin build' made, are averaged anew.\n\n"
    "--where keeps the training subjects that fulfil a condition. --at names where the atlas is: subjects of the "
    "same category count, those with nearer numbers count more (local linear regression, which is unbiased at the "
    "ends of the range). Both may be given. --sweep makes one atlas for each of several values. With none of them, "
    "the atlas is that of everybody.\n\n"
    "OUT gets the same files as a run: atlas.nii.gz, atlas_labels.nii.gz, atlas_probabilities.nii.gz and "
    "atlas_variability.nii.gz, on the grid of the run's atlas; both transforms between this atlas and the "
    "population's; logjacobian.nii.gz, above 0 where this atlas is larger than the population's; volumes.csv, "
    "weights.csv, atlas.json and page.html. A sweep has a folder for each value, and sweep.nii.gz with all of "
    "them.\n\n"
    "The bandwidth says how far from the asked number subjects count: the standard deviation of a Gaussian, in the "
    "number's unit. Unless it is given, it is the one that best predicts the velocity of each subject from the "
    "others; the output has the whole curve.\n\n"
    "docs/conditional.md has formulas and files.";

struct Options : AtlasFlags {
  std::string run, output, names;
  std::uint64_t seed = 0;
  bool json = false, force = false;
};

void run(const Options& options) {
  const condition::Question question = options.question();
  const auto widths = options.widths();
  condition::AtlasFolder folder(options.output);
  condition::RunSubjects subjects(options.run);
  put_names(options.names, subjects.label_names());
  const condition::Plan plan = condition::plan_atlases(subjects, question, widths);
  folder.prepare(options.force);
  std::vector<condition::AtlasFacts> facts(plan.atlases());
  report::AtlasPage page;
  condition::make_atlases(subjects, plan.group.members, plan.weights,
                          [&](std::size_t a, condition::Atlas&& atlas) {
                            facts[a] = condition::facts_of(atlas);
                            folder.write(plan, a, atlas);
                            page.add(atlas);
                          });
  const condition::Curves curves = condition::find_curves(subjects, plan, options.seed);
  write_text(folder.page(), page.html(subjects, plan, facts, curves));
  folder.finish(subjects, plan, facts, curves, kAladdinVersion);
  if (options.json)
    fmt::print("{}", read_text(folder.record()));
  else
    fmt::print("{}", condition::to_text(subjects, plan, facts));
  log::info("the atlas is in {}, shown by {}", options.output, folder.page().string());
}

std::function<void()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->run, "Run directory")->type_name("DIR")->required();
  app.add_option("-o,--output", options->output, "Folder for the atlas")
      ->type_name("DIR")
      ->required();
  add_atlas_flags(app, *options);
  app.add_option("--sweep", options->sweep,
                 "One atlas for each value of a number, such as age=20:90:5")
      ->type_name("NAME=FROM:TO:STEP");
  add_names(app, options->names);
  add_seed(app, options->seed);
  add_json(app, options->json);
  add_force(app, options->force);
  add_nan(app);
  add_threads(app);
  return [options] { run(*options); };
}

}  // namespace

Command atlas_command() {
  return {"atlas",
          "Make the atlas of a subgroup or an age from a finished run",
          kDescription,
          {{"atlas run --at age=70,sex=F -o woman70", "the atlas of women of 70"},
           {"atlas run --where 'sex=F and age>60' -o old_women", "the mean of a subgroup"},
           {"atlas run --sweep age=20:90:5 -o ages",
            "an atlas every five years, with a page to slide through"},
           {"atlas run --at age=70 --bandwidth 5 -o seventy", "a bandwidth of five years"}},
          declare};
}

}  // namespace aladdin::app
