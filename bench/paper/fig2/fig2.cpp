// Fig. 2 of the paper as an experiment: does an image-to-image comparison through the atlas notice a small
// error of a deformation more than an atlas-to-image comparison does?
//
//   aladdin_fig2 -o OUT FOLDER…
//
// FOLDER is a run directory or a folder that `aladdin synth` made. Writes OUT/fig2.csv (a line a
// perturbation), OUT/fig2.svg and OUT/fig2.txt, the finding, which is printed too.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "../chart.h"
#include "../statistics.h"
#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "perturbation.h"

namespace {

using namespace aladdin;
using namespace aladdin::bench;

constexpr double kReported = 1;  // the shift of which the finding speaks, in voxels

struct Options {
  std::string output;
  std::vector<std::string> folders;
  std::vector<double> shifts_vox{0.25, 0.5, kReported, 2};
  int trials = 10;
};

std::vector<Trial> run_trials(const RegisteredCohort& cohort, const Options& options) {
  std::vector<Trial> out;
  for (std::size_t subject = 0; subject < cohort.subjects.size(); ++subject) {
    Rng rng(1, subject);
    for (int trial = 0; trial < options.trials; ++trial)
      for (const Trial& found : perturb(cohort, subject, options.shifts_vox, rng))
        out.push_back(found);
  }
  return out;
}

std::string csv_of(const RegisteredCohort& cohort, const std::vector<Trial>& trials) {
  std::string out;
  for (const Trial& t : trials)
    out += fmt::format("{},{},{},{},{:.6e},{:.6e},{:.6e},{:.6e},{:.6e},{:.6e}\n", cohort.name,
                       cohort.subjects[t.subject].id, cohort.subjects[t.partner].id, t.shift_vox,
                       t.atlas.residual, t.image.residual, t.atlas.change, t.image.change,
                       t.atlas.rise, t.image.rise);
  return out;
}

using Measure = double Response::*;

// One value a subject: the mean over its trials with this shift.
std::vector<double> by_subject(const std::vector<Trial>& trials, std::size_t subjects,
                               double shift_vox, Response Trial::*compared, Measure measure) {
  std::vector<double> sum(subjects, 0), count(subjects, 0);
  for (const Trial& t : trials) {
    if (t.shift_vox != shift_vox) continue;
    sum[t.subject] += t.*compared.*measure;
    count[t.subject] += 1;
  }
  for (std::size_t s = 0; s < subjects; ++s) sum[s] /= count[s];
  return sum;
}

Panel panel_of(const RegisteredCohort& cohort, const std::vector<Trial>& trials,
               const Options& options, Measure measure, const std::string& what) {
  Panel panel{cohort.name, "shift of the deformation, voxels", what, {}};
  const std::pair<const char*, Response Trial::*> sides[] = {{"atlas to image", &Trial::atlas},
                                                             {"image to image", &Trial::image}};
  for (const auto& [name, side] : sides) {
    Curve curve{name, {}, {}, {}, {}};
    for (const double shift : options.shifts_vox) {
      const Interval mean =
          mean_of(by_subject(trials, cohort.subjects.size(), shift, side, measure));
      curve.x.push_back(shift);
      curve.y.push_back(mean.value);
      curve.low.push_back(mean.low);
      curve.high.push_back(mean.high);
    }
    panel.curves.push_back(curve);
  }
  return panel;
}

std::string finding_of(const RegisteredCohort& cohort, const std::vector<Trial>& trials,
                       double shift_vox) {
  const auto ratio = [&](Measure measure) {
    const auto of = [&](Response Trial::*side) {
      return by_subject(trials, cohort.subjects.size(), shift_vox, side, measure);
    };
    return ratio_of_means(of(&Trial::image), of(&Trial::atlas));
  };
  const Interval change = ratio(&Response::change), rise = ratio(&Response::rise);
  const char* verdict = change.low > 1 && rise.low > 1 ? "as the paper says"
                        : change.high < 1 && rise.high < 1
                            ? "against the paper"
                            : "which does not settle the paper's claim";
  return fmt::format(
      "{}: a deformation that is off by {} voxel changes the image-to-image comparison {} times as "
      "much as the atlas-to-image one and raises its squared difference {} times as much, {}; before, "
      "the residual is {} times as large ({} subjects).\n",
      cohort.name, shift_vox, describe(change), describe(rise), verdict,
      describe(ratio(&Response::residual)), cohort.subjects.size());
}

void run(const Options& options) {
  std::string csv =
      "data,subject,partner,shift_vox,residual_atlas,residual_image,change_atlas,change_image,"
      "rise_atlas,rise_image\n";
  std::string findings;
  std::vector<Panel> panels;
  for (const std::string& folder : options.folders) {
    const RegisteredCohort cohort = read_registered_cohort(folder);
    const auto trials = run_trials(cohort, options);
    csv += csv_of(cohort, trials);
    findings += finding_of(cohort, trials, kReported);
    panels.push_back(panel_of(cohort, trials, options, &Response::change, "mean |change|"));
    panels.push_back(
        panel_of(cohort, trials, options, &Response::rise, "rise of the squared difference"));
  }
  const Path out = options.output;
  write_text(out / "fig2.csv", csv);
  write_text(out / "fig2.svg", draw(panels));
  write_text(out / "fig2.txt", findings);
  fmt::print("{}", findings);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Fig. 2: sensitivity of image-to-image and atlas-to-image comparisons");
  Options options;
  int threads = 0;
  app.add_option("FOLDER", options.folders, "Run directories, or folders made by aladdin synth")
      ->required();
  app.add_option("-o,--output", options.output, "Folder for fig2.csv, fig2.svg and fig2.txt")
      ->required();
  app.add_option("--trials", options.trials, "Perturbations a subject")->check(CLI::PositiveNumber);
  app.add_option("--threads", threads, "0: all cores");
  CLI11_PARSE(app, argc, argv);
  try {
    set_threads(threads);
    run(options);
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.exit_code());
  }
}
