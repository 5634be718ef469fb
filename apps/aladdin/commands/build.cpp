// aladdin build: builds the atlas of a cohort and trains the network that registers to it.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "aladdin/bids/derivatives.h"
#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/config/validate.h"
#include "aladdin/config/visit.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/profile.h"
#include "aladdin/network/unet_cost.h"
#include "cohort_flags.h"
#include "command.h"
#include "learning.h"
#include "output.h"
#include "versions.h"

namespace aladdin::app {
namespace {

// Flags that set a setting.
struct Alias {
  const char* flag;
  const char* key;
  const char* type;
  const char* meaning;
};
constexpr Alias kAliases[] = {
    {"--engine", "train.engine", "NAME",
     "Learn a network, optimise velocities, or a method's own way"},
    {"--epochs", "train.epochs", "N,N,...", "Epochs of each stage"},
    {"--minutes", "train.minutes", "T", "Train for so many minutes instead"},
    {"--batch", "train.batch", "N", "Subjects per step"},
    {"--rate", "train.rate", "R", "Learning rate"},
    {"--similarity", "loss.similarity", "NAME", "How two images are compared"},
    {"--window", "loss.window", "N", "Window of lncc in voxels"},
    {"--lambda", "loss.lambda", "W", "Weight of the regularity"},
    {"--gamma1", "loss.gamma1", "W", "Weight of the pairs in atlas space"},
    {"--gamma2", "loss.gamma2", "W", "Weight of the pairs in image space"},
    {"--velocity-scale", "network.velocity_scale", "1|2", "Velocity at full or half resolution"},
    {"--atlas", "atlas.update", "NAME", "How the atlas is made"},
    {"--init", "atlas.init", "NAME|FILE", "Initial atlas: mean, medoid or an image"},
    {"--refine", "train.refine", "N", "Iterations that refine each subject at the end"},
    {"--seed", "train.seed", "N", "Seed of all random numbers"},
};

// With the names that there are, and the setting.
std::string meaning_of(const Alias& alias) {
  std::string names;
  const Config defaults;
  visit_settings(defaults, [&](const Setting& setting, const auto&) {
    if (setting.key == alias.key && !setting.constraint.choices.empty())
      names = ": " + setting.constraint.text();
  });
  return fmt::format("{}{} ({})", alias.meaning, names, alias.key);
}

struct Flags {
  CohortFlags cohort;
  std::string output, preset = "default", config, device = "cpu", pyramid, centre;
  std::vector<std::string> settings;
  std::vector<std::string> aliases = std::vector<std::string>(std::size(kAliases));
  bool supervise = false, resume = false, force = false, dry_run = false, warped = false;
  bool no_report = false, affine = false, profile = false, bids = false;
  std::string fields = "registration", bids_label = "atlas";
};

// "off" trains at full resolution only, as in the paper. With fewer stages, the last epochs stay.
void set_pyramid(Config& config, const std::string& text) {
  apply_setting(config, "train.pyramid=" + (text == "off" ? "1" : text));
  auto& epochs = config.train.epochs;
  const std::size_t stages = config.train.pyramid.size();
  if (epochs.size() > stages)
    epochs.erase(epochs.begin(), epochs.end() - static_cast<std::ptrdiff_t>(stages));
}

Config config_of(const Flags& flags) {
  Config config = preset(flags.preset);
  if (!flags.config.empty()) apply_config_file(config, flags.config);
  if (!flags.pyramid.empty()) set_pyramid(config, flags.pyramid);
  for (std::size_t i = 0; i < std::size(kAliases); ++i)
    if (!flags.aliases[i].empty())
      apply_setting(config, fmt::format("{}={}", kAliases[i].key, flags.aliases[i]));
  if (!flags.centre.empty()) config.atlas.centre = flags.centre == "on";
  if (flags.affine) config.train.affine = true;
  if (flags.supervise && config.loss.supervise == 0) config.loss.supervise = 1;
  for (const auto& setting : flags.settings) apply_setting(config, setting);
  validate(config);
  return config;
}

// The words of the command line, quoted where the shell needs it.
std::vector<std::string> typed_words() {
  std::vector<std::string> words;
  std::string word;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  while (std::getline(file, word, '\0')) {
    const bool plain =
        !word.empty() && word.find_first_of(" *?'\"$&;()<>|\\`[]{}#~!") == std::string::npos;
    for (auto at = word.find('\''); at != std::string::npos; at = word.find('\'', at + 4))
      word.replace(at, 1, "'\\''");
    words.push_back(plain ? word : "'" + word + "'");
  }
  return words;
}

// The command that resumes this training.
std::string resume_command(std::vector<std::string> words) {
  std::erase(words, "--force");
  if (std::find(words.begin(), words.end(), "--resume") == words.end()) words.push_back("--resume");
  return fmt::format("{}", fmt::join(words, " "));
}

// How the time of a step is spent, and how each part compares with the peak rate of oneDNN.
void print_profile() {
  const auto parts = profile::parts();
  const auto whole = std::find_if(parts.begin(), parts.end(),
                                  [](const auto& part) { return part.name == profile::kWhole; });
  if (whole == parts.end()) return log::info("no step was taken, so there is nothing to profile");
  const double peak = measured_peak();
  const auto steps = static_cast<double>(whole->calls);
  double rest = whole->seconds;
  put("{:<28}{:>10}{:>8}{:>12}{:>10}\n", "part of a step", "ms", "%", "GF/s", "of peak");
  const auto line = [&](const std::string& name, double seconds, double operations) {
    const std::string rate = operations > 0
                                 ? fmt::format("{:>12.0f}{:>9.0f}%", operations / seconds / 1e9,
                                               100 * operations / seconds / peak)
                                 : "";
    put("{:<28}{:>10.1f}{:>8.1f}{}\n", name, 1e3 * seconds / steps, 100 * seconds / whole->seconds,
        rate);
  };
  for (const auto& part : parts) {
    if (part.name == profile::kWhole) continue;
    line(part.name, part.seconds, part.operations);
    rest -= part.seconds;
  }
  line("everything else", rest, 0);
  line(fmt::format("all, {} steps", whole->calls), whole->seconds, 0);
  put("peak: {:.0f} GF/s, a matrix product or a wide convolution of oneDNN\n", peak / 1e9);
}

void run(const Flags& flags) {
  BuildOptions options;
  options.config = config_of(flags);
  options.grid = flags.cohort.grid_options();
  options.source = flags.cohort.source;
  options.cohort = flags.cohort.cohort;
  options.preset = flags.preset;
  if (const Call* call = Call::here()) {
    options.command = call->command;
    options.resume_command = call->resume_command;
  } else {
    options.command = fmt::format("{}", fmt::join(typed_words(), " "));
    options.resume_command = resume_command(typed_words());
  }
  options.take_signals = true;
  options.join_team = true;
  options.run = flags.output;
  options.device = flags.device;
  options.resume = flags.resume;
  options.force = flags.force;
  options.dry_run = flags.dry_run;
  options.warped = flags.warped;
  options.fields = parse_field_grid(flags.fields);
  options.report = !flags.no_report;
  if (flags.bids) {
    require_bids_label(flags.bids_label);
    options.bids = flags.bids_label;
  }
  options.versions = {{"aladdin", kAladdinVersion},
                      {"Torch", kTorchVersion},
                      {"ITK", kItkVersion},
                      {"oneDNN", kOneDnnVersion},
                      {"compiler", kCompiler}};
  if (flags.resume && flags.force)
    fail_usage("--resume continues a run and --force starts it over: give one of them");
  if (flags.profile) profile::start();
  learning().build(options);
  if (flags.profile) print_profile();
}

std::function<void()> declare(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  add_cohort_flags(app, flags->cohort);
  app.add_option("-o,--output", flags->output, "The run directory")->type_name("DIR")->required();
  app.add_option("--preset", flags->preset,
                 fmt::format("{}: docs/methods.md", fmt::join(preset_names(), ", ")))
      ->type_name("NAME")
      ->check(CLI::IsMember(preset_names()))
      ->capture_default_str();
  app.add_option("--config", flags->config, "Settings from a TOML file, on top of the preset")
      ->type_name("FILE");
  add_repeatable(app, "--set", flags->settings, "KEY=VALUE",
                 "One setting, such as train.rate=1e-4; repeatable");
  for (std::size_t i = 0; i < std::size(kAliases); ++i)
    app.add_option(kAliases[i].flag, flags->aliases[i], meaning_of(kAliases[i]))
        ->type_name(kAliases[i].type);
  app.add_option("--pyramid", flags->pyramid,
                 "Downsampling factor of each stage, or off (train.pyramid)")
      ->type_name("N,N,...|off");
  app.add_option("--centre", flags->centre,
                 "Keep the atlas in the middle of the cohort (atlas.centre)")
      ->type_name("on|off")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_flag("--affine", flags->affine,
               "First align all subjects affinely to their evolving mean (train.affine)");
  app.add_flag("--supervise", flags->supervise,
               "Use the labels of the training subjects (loss.supervise)");
  add_device(app, flags->device);
  app.add_flag("--warped", flags->warped, "Also write every image on the atlas grid");
  add_fields(app, flags->fields);
  app.add_flag("--bids", flags->bids,
               "Also lay the results out as a BIDS derivative dataset, of a BIDS tree");
  app.add_option("--bids-label", flags->bids_label, "What BIDS names call the atlas: tpl-LABEL")
      ->type_name("LABEL")
      ->capture_default_str();
  app.add_flag("--no-report", flags->no_report, "Do not write the report page");
  app.add_flag("--profile", flags->profile, "Print how the time of a step was spent");
  app.add_flag("--dry-run", flags->dry_run, "Plan, measure two steps, and stop");
  app.add_flag("--resume", flags->resume,
               "Resume an interrupted run; start a new one if there is none");
  add_force(app, flags->force);
  add_nan(app);
  add_threads(app);
  return [flags] { run(*flags); };
}

}  // namespace

Command build_command() {
  return {
      "build",
      "Build an atlas and learn to register to it",
      "Builds the atlas of a cohort and, jointly, trains the network that registers images to it. The "
      "run directory gets the atlas with its labels, probabilities and variability, the model, both "
      "transforms of every subject, metrics and settings.\n\n"
      "Subjects of the split train, or without a split, make the atlas. Those of val are measured "
      "during training. All subjects are registered at the end. docs/configuration.md lists the "
      "settings; --set and --config change them, and config.toml in the run directory records them.\n\n"
      "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop a build after the current step, with a checkpoint and "
      "the exit code 130, 143 or 129; a second signal stops it at once. Resume it with the same command "
      "and --resume.\n\n"
      "When mpirun, srun or torchrun start several processes, they train one atlas and share every "
      "batch (docs/cluster.md).",
      {{"build subjects.csv -o run", "an atlas of the training subjects of a table"},
       {"build images --labels labels -o run --minutes 60", "train for an hour, with labels"},
       {"build 'study/*/T1.nii.gz' -o run --spacing 3 --preset fast", "a quick look, at 3 mm"},
       {"build study_bids -o study_bids/derivatives/atlas --bids", "a BIDS derivative dataset"},
       {"build subjects.csv -o run --dry-run", "print the plan, the memory and the time of a step"},
       {"build subjects.csv -o run --resume", "resume an interrupted run"}},
      declare};
}

}  // namespace aladdin::app
