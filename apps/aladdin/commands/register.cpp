// aladdin register: new images to the atlas of a run, without its cohort and without Torch.
#include <chrono>
#include <optional>

#include "aladdin/condition/atlas.h"
#include "aladdin/condition/plan.h"
#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/links.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/image/io.h"
#include "aladdin/register/atlas_registration.h"
#include "aladdin/transform/transform_file.h"
#include "atlas_flags.h"
#include "command.h"
#include "image_jobs.h"
#include "json.h"
#include "output.h"
#include "pair_jobs.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Registers images like those that the atlas was built from: each in its own space, at its own "
    "size and resolution, nothing to prepare. RUN is the folder that 'aladdin build' made, or a model "
    "file (model.safetensors) on its own.\n\n"
    "For every IMAGE two displacement fields are written (LPS mm, as ITK and ANTs read them):\n\n"
    "OUT/transforms/<name>_from-native_to-atlas_mode-image_xfm.nii.gz lives on the atlas grid and "
    "pulls the image into atlas space; OUT/transforms/<name>_from-atlas_to-native_mode-image_xfm.nii.gz "
    "pulls the atlas to the image. The latter covers the image with the voxels of the registration: "
    "resampled with --like IMAGE it loses nothing, and it is small; --fields native writes it on the "
    "image's own grid.\n\n"
    "--warped adds the image on the atlas grid (OUT/warped/<name>.nii.gz), --labels the labels of the "
    "atlas on the image's grid (OUT/labels/<name>.nii.gz). With neither, both are written, the labels "
    "if the run has any.\n\n"
    "The network's answer is refined by optimisation against the atlas until it has converged, as it was for the "
    "cohort: the same image gets the same transforms. --refine 0 takes the network's answer alone, which is faster. A "
    "model made with --engine optimise has no network and always optimises.\n\n"
    "An image with a mask is compared within it alone; a cohort may name masks, as for 'aladdin build', or "
    "--masks does.\n\n"
    "Small images are registered side by side, each on one thread; a single small one has one thread unless "
    "--threads says otherwise.\n\n"
    "With --at or --where, images are registered to the atlas of that age or subgroup, made as 'aladdin atlas' makes it, "
    "and from there on to the population's: the fields above mean what they always mean, so that results stay comparable, "
    "and OUT/transforms/<name>_from-native_to-conditional_mode-image_xfm.nii.gz and "
    "<name>_from-conditional_to-native_mode-image_xfm.nii.gz are those of the registration itself. The labels are those of "
    "that atlas.\n\n"
    "--to FIXED registers to an image, without an atlas and without training: a rigid, similarity, affine or "
    "diffeomorphic registration (--kind), found from the pose in the headers and from others, up to 40 degrees away. "
    "OUT/transforms/<name>_from-moving_to-fixed_mode-image_xfm pulls the image onto FIXED, "
    "<name>_from-fixed_to-moving_mode-image_xfm the other way: .tfm for a matrix, .nii.gz for fields. Masks of both "
    "(--to-mask, --masks) say where they count, and what an image does not show counts nowhere.\n\n"
    "If one of several images cannot be registered, the others still are, and the exit code is 1.";

struct Options : ImageArguments {
  AtlasFlags group;
  std::optional<int> refine;
  PairFlags pair;
  std::string fields = "registration";
  bool warped = false, labels = false, json = false, force = false, threads_given = false;
};

// Where the results of one image go.
struct Job {
  NamedImage image;
  Path to_atlas, to_native, warped, labels;
  Path to_conditional, conditional_to_native;
};

struct Result {
  AtlasRegistration found;
  double seconds = 0;
};

std::vector<Job> plan(const Options& options) {
  std::vector<Job> jobs;
  const Path out = options.output;
  refuse_links(out, {"transforms", "warped", "labels"});
  for (const auto& image : name_images(options)) {
    const std::string& name = image.name;
    jobs.push_back(
        {image, out / "transforms" / native_to_atlas_name(name),
         out / "transforms" / atlas_to_native_name(name), out / "warped" / (name + ".nii.gz"),
         out / "labels" / (name + ".nii.gz"),
         out / "transforms" / (name + "_from-native_to-conditional_mode-image_xfm.nii.gz"),
         out / "transforms" / (name + "_from-conditional_to-native_mode-image_xfm.nii.gz")});
  }
  return jobs;
}

// The atlas that is asked for by its covariates; nothing: the population's.
std::optional<condition::Atlas> conditional_atlas(const Options& options) {
  if (!options.group.given()) {
    if (!options.group.bandwidth.empty() || options.group.drop_missing || options.group.extrapolate)
      fail_usage("--bandwidth, --drop-missing and --extrapolate are for --at and --where");
    return std::nullopt;
  }
  if (!is_folder(options.run))
    throw Error(
        fmt::format("'{}' is a model alone, and --at needs the subjects of its run", options.run),
        ExitCode::usage)
        .hint("name the run directory");
  const condition::RunSubjects subjects(options.run);
  const condition::Plan plan =
      condition::plan_atlases(subjects, options.group.question(), options.group.widths());
  log::info("to the atlas of {}: {:.1f} subjects stand behind it", plan.group.names.front(),
            plan.effective.front());
  std::optional<condition::Atlas> out;
  condition::make_atlases(subjects, plan.group.members, plan.weights,
                          [&](std::size_t, condition::Atlas&& atlas) { out = std::move(atlas); });
  return out;
}

class Run {
 public:
  explicit Run(const Options& options)
      : jobs_(plan(options)),
        refine_(options.refine),
        with_labels_(options.labels || !options.warped),
        warped_(options.warped || !options.labels),
        registrar_(options.run, with_labels_, conditional_atlas(options)),
        fields_(parse_field_grid(options.fields)) {
    registrar_.require_refinable(refine_);
    const bool small = registrar_.is_small();
    side_by_side_ = small && jobs_.size() > 1;
    if (small && !side_by_side_ && !options.threads_given) set_threads(1);
    if (options.labels && !registrar_.labels() && registrar_.is_conditional())
      fail("--labels: the atlas has no labels");
    if (options.labels && !registrar_.labels())
      fail("--labels: the atlas has no labels, there is no '{}'",
           registrar_.labels_file().string());
    for (const Job& job : jobs_) {
      for (const Path& path : {job.to_atlas, job.to_native}) require_writable(path, options.force);
      if (registrar_.is_conditional())
        for (const Path& path : {job.to_conditional, job.conditional_to_native})
          require_writable(path, options.force);
      if (warped_) require_writable(job.warped, options.force);
      if (registrar_.labels()) require_writable(job.labels, options.force);
    }
  }

  const std::vector<Job>& jobs() const { return jobs_; }
  bool side_by_side() const { return side_by_side_; }
  double usual_mismatch() const { return registrar_.usual_mismatches()->median(); }

  Result work(const Job& job) {
    const auto start = std::chrono::steady_clock::now();
    const Image image = read_image(job.image.image);
    const std::optional<Labels> mask = read_mask(job.image);
    Result result{registrar_.register_image(image, mask ? &*mask : nullptr, job.image.image,
                                            refine_, fields_)};
    AtlasRegistration& found = result.found;
    if (registrar_.is_conditional()) {
      write_displacement(job.to_conditional,
                         std::get<Displacement>(found.native_to_conditional.front()));
      write_displacement(job.conditional_to_native,
                         std::get<Displacement>(found.conditional_to_native.front()));
    }
    write_displacement(job.to_atlas, std::get<Displacement>(found.native_to_atlas.front()));
    write_displacement(job.to_native, std::get<Displacement>(found.atlas_to_native.front()));
    if (warped_) write_image(job.warped, registrar_.warped(image, found));
    if (registrar_.labels()) write_labels(job.labels, registrar_.labels_on(image.grid, found));
    for (Chain* chain : {&found.native_to_atlas, &found.atlas_to_native,
                         &found.native_to_conditional, &found.conditional_to_native})
      chain->clear();  // only the figures are still wanted
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }

 private:
  std::vector<Job> jobs_;
  std::optional<int> refine_;
  bool with_labels_, warped_, side_by_side_ = false;
  AtlasRegistrar registrar_;
  FieldGrid fields_;
};

Json to_json(const JacobianSummary& jacobian) {
  return {
      {"folds", jacobian.folds}, {"jacobian_min", jacobian.min}, {"jacobian_max", jacobian.max}};
}

Json to_json(const Job& job, const Result& result) {
  const AtlasRegistration& found = result.found;
  return {{"image", job.image.image},
          {"name", job.image.name},
          {"shift_mm", found.shift},
          {"ncc_before", found.similarity.ncc_before},
          {"ncc_after", found.similarity.ncc_after},
          {"mismatch", found.mismatch},
          {"poor", found.poor},
          {"inverse_error_mm", {{"mean", found.inverse.mean_mm}, {"max", found.inverse.max_mm}}},
          {"native_to_atlas", to_json(found.to_atlas)},
          {"atlas_to_native", to_json(found.to_native)},
          {"seconds", result.seconds}};
}

void print_text(const Job& job, const Result& result) {
  const AtlasRegistration& found = result.found;
  put("{}  NCC {:.4f} -> {:.4f}  folds {} and {}  Jacobian {:.3f} to {:.3f}  inverse error {:.4f} mm  "
      "{:.2f} s\n",
      job.image.name, found.similarity.ncc_before, found.similarity.ncc_after, found.to_atlas.folds,
      found.to_native.folds, found.to_atlas.min, found.to_atlas.max, found.inverse.mean_mm,
      result.seconds);
}

void warn_of_poor(const Run& work, const std::vector<Result>& results) {
  std::vector<std::string> names;
  double worst = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].found.poor) continue;
    names.push_back(work.jobs()[i].image.name);
    worst = std::max(worst, results[i].found.mismatch);
  }
  if (names.empty()) return;
  log::warn(
      "poor registration of {}: a mismatch of {:.3f}, where {:.3f} is usual; look at the image",
      list_of_poor(names), worst, work.usual_mismatch());
}

void run(const Options& options) {
  if (!options.pair.to.empty()) {
    if (options.refine) fail_usage("--refine is for the network of an atlas: omit it with --to");
    return register_to_image({options, options.pair, options.fields, options.warped, options.labels,
                              options.json, options.force, options.threads_given});
  }
  require_no_pair_flags(options.pair);
  if (options.images.empty())
    fail_usage("register needs IMAGE: a run, and images to register to it");
  Run work(options);
  Json all = Json::array();
  const auto finish = [&] {
    if (options.json) print_json(all);
  };
  std::vector<NamedImage> images;
  for (const Job& job : work.jobs()) images.push_back(job.image);
  std::vector<Result> results(images.size());
  const auto tell = [&](std::size_t i) {
    all.push_back(to_json(work.jobs()[i], results[i]));
    if (!options.json && log::level() != log::Level::quiet) print_text(work.jobs()[i], results[i]);
  };
  work_through(
      images, "registered", work.side_by_side(),
      [&](std::size_t i) { results[i] = work.work(work.jobs()[i]); }, tell, finish);
  warn_of_poor(work, results);
}

std::function<void()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_image_arguments(app, *options, "The folder of an atlas, or its model file", "register");
  app.get_option("IMAGE")->required(false);  // with --to the first one stands in the place of RUN
  add_pair_flags(app, options->pair);
  app.add_flag("--warped", options->warped, "Write the image on the atlas grid");
  app.add_flag("--labels", options->labels, "Write the labels of the atlas on the image's grid");
  add_fields(app, options->fields);
  add_refine(app, options->refine);
  add_atlas_flags(app, options->group);
  add_json(app, options->json);
  add_force(app, options->force);
  add_nan(app);
  add_threads(app);
  app.get_option("--threads")->each([options](const std::string&) {
    options->threads_given = true;
  });
  return [options] { run(*options); };
}

}  // namespace

Command register_command() {
  return {
      "register",
      "Register new images to an atlas, or to another image",
      kDescription,
      {{"register knees new.nii.gz -o out", "both transforms, the warped image, the labels"},
       {"register knees scans/*.nii.gz -o out --labels --json",
        "label many images and print a summary as JSON"},
       {"register knees new.nii.gz -o out --refine 0", "the network alone: faster, a looser match"},
       {"register knees scans/*.nii.gz -o out --shard $SLURM_ARRAY_TASK_ID/16",
        "one of sixteen tasks of an array job"},
       {"register brains new.nii.gz -o out --at age=70,sex=F",
        "to the atlas of women of 70, and from there to the population's"},
       {"register --to mni.nii.gz t1.nii.gz -o out",
        "two images: both transforms and the warped image"},
       {"register --to t1.nii.gz flair.nii.gz -o out --kind rigid --similarity mi",
        "two contrasts of one head"},
       {"register knees/model.safetensors new.nii.gz -o out", "the model file is enough"}},
      declare};
}

}  // namespace aladdin::app
