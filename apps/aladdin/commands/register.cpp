// aladdin register: new images to the atlas of a run, without its cohort and without Torch.
#include <chrono>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/links.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/registration_quality.h"
#include "aladdin/image/io.h"
#include "aladdin/network/registrar.h"
#include "aladdin/run/run_directory.h"
#include "aladdin/transform/jacobian.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"
#include "command.h"
#include "image_jobs.h"
#include "json.h"

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
    "If one of several images cannot be registered, the others still are, and the exit code is 1.";

struct Options : ImageArguments {
  std::optional<int> refine;
  std::string fields = "registration";
  bool warped = false, labels = false, json = false, force = false, threads_given = false;
};

// Below this an image has one thread, and several are registered side by side: they share nothing, while the threads
// of one image would wait for each other in each of its hundred small steps.
constexpr std::int64_t kVoxelsForThreads = 1 << 19;

// Where the results of one image go.
struct Job {
  NamedImage image;
  Path to_atlas, to_native, warped, labels;
};

struct Result {
  Vec3 shift;
  evaluate::Similarity similarity;
  JacobianSummary to_atlas, to_native;
  evaluate::InverseConsistency inverse;
  double seconds = 0;
};

Path model_of(const std::string& run) {
  if (!is_folder(run)) return run;
  Path model = RunDirectory{run}.model();
  std::error_code ignored;
  if (!std::filesystem::exists(model, ignored))
    throw Error(fmt::format("'{}' has no model.safetensors", run))
        .hint("RUN is the folder of a finished 'aladdin build'");
  return model;
}

std::vector<Job> plan(const Options& options) {
  std::vector<Job> jobs;
  const Path out = options.output;
  refuse_links(out, {"transforms", "warped", "labels"});
  for (const auto& image : name_images(options)) {
    const std::string& name = image.name;
    jobs.push_back({image, out / "transforms" / native_to_atlas_name(name),
                    out / "transforms" / atlas_to_native_name(name),
                    out / "warped" / (name + ".nii.gz"), out / "labels" / (name + ".nii.gz")});
  }
  return jobs;
}

class Run {
 public:
  explicit Run(const Options& options)
      : jobs_(plan(options)),
        refine_(options.refine),
        model_(model_of(options.run)),
        registrar_(read_model(model_)),
        atlas_(registrar_.atlas()),
        fields_(parse_field_grid(options.fields)) {
    const Model& model = registrar_.model();
    registrar_.require_refinable(refine_);
    const bool small = model.padded.voxels() < kVoxelsForThreads;
    side_by_side_ = small && jobs_.size() > 1;
    if (small && !side_by_side_ && !options.threads_given) set_threads(1);
    const bool all = !options.warped && !options.labels;
    warped_ = all || options.warped;
    const Path labels = RunDirectory{model_.parent_path()}.atlas_labels();
    std::error_code ignored;
    if (std::filesystem::exists(labels, ignored)) {
      if (all || options.labels) read_atlas_labels(labels);
    } else if (options.labels) {
      fail("--labels: the atlas has no labels, there is no '{}'", labels.string());
    }
    for (const Job& job : jobs_) {
      for (const Path& path : {job.to_atlas, job.to_native}) require_writable(path, options.force);
      if (warped_) require_writable(job.warped, options.force);
      if (labels_) require_writable(job.labels, options.force);
    }
  }

  const std::vector<Job>& jobs() const { return jobs_; }
  bool side_by_side() const { return side_by_side_; }

  Result work(const Job& job) {
    const auto start = std::chrono::steady_clock::now();
    const Image image = read_image(job.image.image);
    const std::optional<Labels> mask = read_mask(job.image);
    const RegisteredImage done =
        registrar_.register_image(image, mask ? &*mask : nullptr, job.image.image, refine_);
    ExportedFields fields = registrar_.fields(done, image.grid, fields_);
    Result result;
    result.shift = done.shift;
    result.to_atlas = summarise_jacobian(fields.native_to_atlas);
    result.to_native = summarise_jacobian(fields.atlas_to_native);
    write_displacement(job.to_atlas, fields.native_to_atlas);
    write_displacement(job.to_native, fields.atlas_to_native);
    const Chain to_atlas{std::move(fields.native_to_atlas)};
    const Chain to_native{std::move(fields.atlas_to_native)};
    Image mapped = image;
    apply(done.intensity, mapped);
    result.similarity = evaluate::similarity_of(mapped, done.shift, to_atlas, atlas_);
    result.inverse = evaluate::inverse_consistency(to_atlas, to_native, atlas_.grid);
    if (warped_) write_image(job.warped, pull_back(image, to_atlas, atlas_.grid));
    if (labels_) write_labels(job.labels, pull_back(*labels_, to_native, image.grid));
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }

 private:
  void read_atlas_labels(const Path& path) {
    labels_ = read_labels(path);
    if (!same_grid(labels_->grid, registrar_.model().visible))
      fail("'{}' is {}, but the atlas is {}", path.string(), describe(labels_->grid),
           describe(registrar_.model().visible));
  }

  std::vector<Job> jobs_;
  std::optional<int> refine_;
  Path model_;
  Registrar registrar_;
  Image atlas_;
  FieldGrid fields_;
  std::optional<Labels> labels_;
  bool warped_ = false, side_by_side_ = false;
};

Json to_json(const JacobianSummary& jacobian) {
  return {
      {"folds", jacobian.folds}, {"jacobian_min", jacobian.min}, {"jacobian_max", jacobian.max}};
}

Json to_json(const Job& job, const Result& result) {
  return {{"image", job.image.image},
          {"name", job.image.name},
          {"shift_mm", result.shift},
          {"ncc_before", result.similarity.ncc_before},
          {"ncc_after", result.similarity.ncc_after},
          {"inverse_error_mm", {{"mean", result.inverse.mean_mm}, {"max", result.inverse.max_mm}}},
          {"native_to_atlas", to_json(result.to_atlas)},
          {"atlas_to_native", to_json(result.to_native)},
          {"seconds", result.seconds}};
}

void print_text(const Job& job, const Result& result) {
  fmt::print(
      "{}  NCC {:.4f} -> {:.4f}  folds {} and {}  Jacobian {:.3f} to {:.3f}  inverse error {:.4f} mm  "
      "{:.2f} s\n",
      job.image.name, result.similarity.ncc_before, result.similarity.ncc_after,
      result.to_atlas.folds, result.to_native.folds, result.to_atlas.min, result.to_atlas.max,
      result.inverse.mean_mm, result.seconds);
}

void run(const Options& options) {
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
}

std::function<void()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_image_arguments(app, *options, "The folder of an atlas, or its model file", "register");
  app.add_flag("--warped", options->warped, "Write the image on the atlas grid");
  app.add_flag("--labels", options->labels, "Write the labels of the atlas on the image's grid");
  add_fields(app, options->fields);
  add_refine(app, options->refine);
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
      "Register new images to an atlas",
      kDescription,
      {{"register knees new.nii.gz -o out", "both transforms, the warped image, the labels"},
       {"register knees scans/*.nii.gz -o out --labels --json",
        "label many images and print a summary as JSON"},
       {"register knees new.nii.gz -o out --refine 0", "the network alone: faster, a looser match"},
       {"register knees scans/*.nii.gz -o out --shard $SLURM_ARRAY_TASK_ID/16",
        "one of sixteen tasks of an array job"},
       {"register knees/model.safetensors new.nii.gz -o out", "the model file is enough"}},
      declare};
}

}  // namespace aladdin::app
