// aladdin segment: labels for new images from the atlas of a run.
#include <map>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/links.h"
#include "aladdin/core/log.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/label_fusion.h"
#include "aladdin/evaluate/source.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_names.h"
#include "aladdin/network/registrar.h"
#include "aladdin/run/run_record.h"
#include "aladdin/transform/pull_back.h"
#include "command.h"
#include "image_jobs.h"

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

class Segmenter {
 public:
  explicit Segmenter(const Options& options)
      : options_(options),
        run_{options.run},
        table_(read_label_table()),
        registrar_(read_model(run_.model())) {
    registrar_.require_refinable(options.refine);
    if (options.bridge) {
      source_ = evaluate::source_of_run(options.run, "train");
      std::erase_if(source_.subjects, [](const auto& subject) { return subject.label.empty(); });
      if (source_.subjects.empty())
        fail("'{}' has no training subject with labels, --bridge needs some", options.run);
      if (!source_.has_labels())
        fail("the training subjects of '{}' have no labels, --bridge needs them", options.run);
      for (const auto& subject : source_.subjects)
        if (subject.image.empty())
          fail("the image of the training subject '{}' is not there, --bridge needs it",
               subject.id);
    } else {
      const auto volumes = read_volumes(run_.atlas_probabilities());
      if (volumes.size() != table_.size())
        fail("'{}' has {} volumes, but the run has {} labels", run_.atlas_probabilities().string(),
             volumes.size(), table_.size());
      shares_.emplace(volumes);
    }
  }

  // The volumes of the structures.
  std::vector<double> work(const Job& job, const std::function<void()>& done) {
    const Image image = read_image(job.image.image);
    const std::optional<Labels> mask = read_mask(job.image);
    const RegisteredImage registered =
        registrar_.register_image(image, mask ? &*mask : nullptr, job.image.image, options_.refine);
    const ExportedFields fields = registrar_.fields(registered, image.grid);
    evaluate::LabelFusion fusion(image.grid, count());
    const Chain to_atlas{fields.atlas_to_native};
    if (options_.bridge) {
      Image mapped = image;
      apply(registered.intensity, mapped);
      for (const auto& subject : source_.subjects) {
        add_subject(subject, mapped, to_atlas, fusion);
        done();
      }
    } else {
      fusion.add_shares(*shares_, to_atlas);
    }
    const auto indices = fusion.labels();
    Labels labels(image.grid);
    for (std::size_t v = 0; v < indices.size(); ++v) labels.values[v] = table_[indices[v]];
    write_labels(job.labels, labels);
    if (options_.probabilities) {
      std::vector<float> all;
      for (int k = 0; k < count(); ++k) {
        const auto one = fusion.probability(k);
        all.insert(all.end(), one.begin(), one.end());
      }
      write_volumes(job.probabilities, image.grid, all);
    }
    done();
    return evaluate::volumes_mm3(indices, image.grid, count());
  }

  const std::vector<std::int32_t>& table() const { return table_; }

  // Of the volumes; a name that two labels have has the label behind it.
  std::vector<std::string> columns() const {
    LabelNames names = evaluate::label_names_of_run(run_.folder);
    if (!options_.names.empty())
      for (const auto& [label, name] : read_label_names(options_.names)) names[label] = name;
    std::map<std::string, int> count;
    for (const std::int32_t label : table_)
      if (names.contains(label)) ++count[names[label]];
    std::vector<std::string> out;
    for (std::size_t k = 1; k < table_.size(); ++k) {
      const auto name = names.find(table_[k]);
      if (name == names.end())
        out.push_back(fmt::format("volume_{}", table_[k]));
      else if (count[name->second] == 1)
        out.push_back(name->second);
      else
        out.push_back(fmt::format("{} {}", name->second, table_[k]));
    }
    return out;
  }
  // How often `done` of work() is called for one image.
  std::int64_t steps() const {
    return options_.bridge ? static_cast<std::int64_t>(source_.subjects.size()) + 1 : 1;
  }

 private:
  std::vector<std::int32_t> read_label_table() const {
    const auto table = read_record(run_).results.value_or(RunResults{}).labels;
    if (table.size() < 2)
      fail("the atlas of '{}' has no labels: its subjects had none", run_.folder.string());
    return table;
  }
  int count() const { return static_cast<int>(table_.size()); }

  // Points of the image to the atlas, then on to the subject.
  void add_subject(const evaluate::SourceSubject& subject, const Image& image, Chain chain,
                   evaluate::LabelFusion& fusion) const {
    for (auto& transform : subject.native_to_atlas()) chain.push_back(std::move(transform));
    Image other = read_image(subject.image);
    if (subject.intensity) apply(*subject.intensity, other);
    const auto weights = evaluate::local_weights(image, pull_back(other, chain, image.grid));
    const Labels labels = read_labels(subject.label);
    const auto indices = evaluate::index_labels(labels, table_);
    fusion.add({indices.data(), &labels.grid}, chain, weights);
  }

  const Options& options_;
  RunDirectory run_;
  std::vector<std::int32_t> table_;
  Registrar registrar_;
  std::optional<evaluate::AtlasShares> shares_;
  evaluate::Source source_;
};

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
  Segmenter segmenter(options);
  std::string text = "image";
  for (const std::string& column : segmenter.columns()) text += "," + csv_field(column);
  text += "\n";
  std::optional<Progress> progress;
  progress.emplace("labelling", static_cast<std::int64_t>(jobs.size()) * segmenter.steps());
  const auto segment = [&](std::size_t i) {
    const auto volumes = segmenter.work(jobs[i], [&] { progress->advance(); });
    text += csv_field(jobs[i].image.name);
    for (std::size_t k = 1; k < volumes.size(); ++k) text += fmt::format(",{:.3f}", volumes[k]);
    text += "\n";
  };
  std::vector<NamedImage> images;
  for (const Job& job : jobs) images.push_back(job.image);
  const auto finish = [&] {
    progress.reset();
    write_text(csv, text);
    if (log::level() != log::Level::quiet) fmt::print("{}", text);
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
