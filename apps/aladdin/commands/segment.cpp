// aladdin segment: labels for new images from the atlas of a run.
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/links.h"
#include "aladdin/core/log.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_names.h"
#include "aladdin/register/segmenter.h"
#include "command.h"
#include "image_jobs.h"
#include "output.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Registers each IMAGE to the atlas of RUN, as 'aladdin register' does, and labels it on its own "
    "grid: OUT/labels/<name>.nii.gz, and the volume of every structure in OUT/volumes.csv (mm3; 2-D: "
    "mm2; of --shard 2/8 OUT/volumes_2_of_8.csv). Its columns have the names of the labels, where the "
    "cohort or --names has any, else volume_<label>.\n\n"
    "The atlas knows how often each structure is where; these shares are carried to the image and the "
    "largest wins. With --bridge the labels of the run's training subjects are carried through the atlas "
    "instead, each vote weighted by how much the subject's image looks like the new one nearby: more "
    "accurate, slower by a second or so per subject and image, and their images and labels must still be "
    "there.";

struct Options : ImageArguments {
  std::optional<int> refine;
  std::string names;
  bool probabilities = false, bridge = false, force = false;
};

struct Job {
  NamedImage image;
  Path labels, probabilities;
};

std::vector<Job> plan(const Options& options) {
  std::vector<Job> jobs;
  const Path out = options.output;
  refuse_links(out, {"labels", "probabilities"});
  for (const auto& image : name_images(options))
    jobs.push_back({image, out / "labels" / (image.name + ".nii.gz"),
                    out / "probabilities" / (image.name + ".nii.gz")});
  return jobs;
}

// The volumes of the structures.
std::vector<double> label(Segmenter& segmenter, const Job& job, const Options& options,
                          const std::function<void()>& step) {
  const Image image = read_image(job.image.image);
  const std::optional<Labels> mask = read_mask(job.image);
  const Segmentation found = segmenter.label_image(image, mask ? &*mask : nullptr, job.image.image,
                                                   options.refine, options.probabilities, step);
  write_labels(job.labels, found.labels);
  if (options.probabilities) write_volumes(job.probabilities, image.grid, found.probabilities);
  return found.volumes;
}

void run(const Options& options) {
  const std::vector<Job> jobs = plan(options);
  // Tasks of an array job write into one folder.
  const Path csv =
      Path(options.output) /
      (options.shard.empty()
           ? std::string("volumes.csv")
           : fmt::format("volumes_{}.csv", fmt::join(split(options.shard, '/'), "_of_")));
  require_writable(csv, options.force);
  for (const Job& job : jobs) {
    if (jobs.size() == 1) read_header(job.image.image);  // of several, each is told of in its turn
    require_writable(job.labels, options.force);
    if (options.probabilities) require_writable(job.probabilities, options.force);
  }
  Segmenter segmenter(options.run, options.bridge);
  segmenter.require_refinable(options.refine);
  LabelNames names;
  put_names(options.names, names);
  std::string text = "image";
  for (const std::string& column : segmenter.columns(names)) text += "," + csv_field(column);
  text += "\n";
  std::optional<Progress> progress;
  progress.emplace("labelling", static_cast<std::int64_t>(jobs.size()) * segmenter.steps());
  const auto segment = [&](std::size_t i) {
    const auto volumes = label(segmenter, jobs[i], options, [&] { progress->advance(); });
    text += csv_field(jobs[i].image.name);
    for (std::size_t k = 1; k < volumes.size(); ++k) text += fmt::format(",{:.3f}", volumes[k]);
    text += "\n";
  };
  std::vector<NamedImage> images;
  for (const Job& job : jobs) images.push_back(job.image);
  const auto finish = [&] {
    progress.reset();
    write_text(csv, text);
    if (log::level() != log::Level::quiet) put("{}", text);
  };
  work_through(
      images, "segmented", false, segment, [](std::size_t) {}, finish);
}

std::function<void()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_image_arguments(app, *options, "The folder of an atlas with labels", "label");
  app.add_flag("--probabilities", options->probabilities,
               "Write OUT/probabilities/<name>.nii.gz, a volume for each label, background first");
  app.add_flag("--bridge", options->bridge, "Vote with the labels of the training subjects");
  add_names(app, options->names);
  add_refine(app, options->refine);
  add_force(app, options->force);
  add_nan(app);
  add_threads(app);
  return [options] { run(*options); };
}

}  // namespace

Command segment_command() {
  return {"segment",
          "Label new images from an atlas with labels",
          kDescription,
          {{"segment run new.nii.gz -o out", "labels and volumes from the atlas's probabilities"},
           {"segment run scans/*.nii.gz -o out --bridge --probabilities",
            "by the votes of the training subjects, with the probability of each label"}},
          declare};
}

}  // namespace aladdin::app
