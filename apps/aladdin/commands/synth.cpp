// aladdin synth: makes a synthetic cohort whose true transforms are known.
#include <fmt/format.h>

#include "aladdin/core/files.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "aladdin/synth/cohort.h"
#include "command.h"

namespace aladdin::app {
namespace {

struct SynthFlags {
  std::string folder;
  synth::SynthOptions options;
  bool force = false;
};

void add_strength(CLI::App& app, const char* name, double& value, const char* meaning) {
  app.add_option(name, value, meaning)->type_name("X")->capture_default_str();
}

void add_grid(CLI::App& app, synth::SynthOptions& options) {
  app.add_option("--size", options.size, "Voxels: left-right, front-back, up-down")
      ->type_name("I,J,K")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--spacing", options.spacing_mm, "Size of a voxel in mm, in the same order")
      ->type_name("X,Y,Z")
      ->delimiter(',')
      ->capture_default_str();
  app.add_flag("--slice", options.slice,
               "2-D: only the sagittal plane through the lateral condyle");
}

std::function<void()> declare(CLI::App& app) {
  auto flags = std::make_shared<SynthFlags>();
  auto& options = flags->options;
  app.add_option("-o,--output", flags->folder, "Folder for the cohort")
      ->type_name("DIR")
      ->required();
  app.add_option("--subjects", options.subjects, "Number of subjects")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--val", options.val, "Subjects in the split val (default: a fifth)")
      ->type_name("N");
  app.add_option("--test", options.test, "Subjects in the split test (default: a fifth)")
      ->type_name("N");
  add_grid(app, options);
  add_strength(app, "--affine", options.affine, "Strength of affine differences between subjects");
  add_strength(app, "--shape", options.shape, "Strength of smooth differences in shape");
  add_strength(app, "--thickness", options.thickness,
               "Strength of differences in cartilage thickness");
  add_strength(
      app, "--planted", options.planted,
      "Plant an effect: the cartilage at the back of the lateral condyle is exp(-X c) times as thick, c "
      "the column 'planted' of cohort.csv");
  add_strength(app, "--lesions", options.lesions, "Mean number of cartilage lesions per subject");
  add_strength(app, "--noise", options.noise, "Strength of Rician noise");
  add_strength(app, "--texture", options.texture, "Strength of tissue texture");
  add_strength(app, "--bias", options.bias, "Strength of the coil's bias field");
  add_strength(app, "--oblique", options.oblique_deg, "Largest tilt of a scan in degrees");
  add_seed(app, options.seed);
  add_force(app, flags->force);
  add_threads(app);
  return [flags] {
    const Path csv = synth::write_cohort(flags->folder, flags->options, flags->force);
    log::info("{}; the cohort is {}", counted(flags->options.subjects, "knee"), csv.string());
  };
}

}  // namespace

Command synth_command() {
  return {
      "synth",
      "Make a synthetic knee cohort with ground truth",
      "Writes MR-like images of right knees, labels (1 femur, 2 femoral cartilage, 3 tibia, 4 "
      "tibial cartilage), a canonical knee with the true transforms to and from it, and cohort.csv. "
      "Subjects differ by an affine and a smooth diffeomorphic map, by the thickness of their "
      "cartilage and by lesions. The same seed gives the same files. If the field of view is smaller "
      "than the bones, the knee is squeezed into it.",
      {{"synth -o knees", "twenty small knees, 40 x 96 x 96"},
       {"synth -o knees --size 80,192,192 --spacing 1.4,0.73,0.73",
        "on the paper's grid: OAI at half its resolution"},
       {"synth -o slices --slice --subjects 50", "2-D sagittal slices of 96 x 96"}},
      declare};
}

}  // namespace aladdin::app
