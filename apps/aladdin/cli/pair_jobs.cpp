#include "pair_jobs.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "aladdin/config/choices.h"
#include "aladdin/core/error.h"
#include "aladdin/core/links.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/registration_quality.h"
#include "aladdin/image/io.h"
#include "aladdin/pair/pair_registration.h"
#include "aladdin/transform/export.h"
#include "aladdin/transform/jacobian.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"
#include "json.h"
#include "output.h"

namespace aladdin::app {
namespace {

// Below this several images are registered side by side, each on one thread.
constexpr std::int64_t kVoxelsForThreads = 1 << 19;

template <Choice Enum>
std::vector<std::string> words_of() {
  const auto names = names_of<Enum>();
  return {names.begin(), names.end()};
}

// "sub-01" of a file name as BIDS has it; empty: none.
std::string bids_subject(const std::string& file) {
  const std::string name = Path(file).filename().string();
  if (!name.starts_with("sub-")) return "";
  return name.substr(0, name.find('_'));
}

struct Job {
  NamedImage image;
  PairKind kind;
  Path to_fixed, to_moving, affine, warped, labels;
};

struct Result {
  Affine linear;
  bool bent = false;
  evaluate::Similarity similarity;
  evaluate::InverseConsistency inverse;
  JacobianSummary to_fixed, to_moving;
  double seconds = 0;
};

PairKind kind_of(const PairFlags& flags, const NamedImage& image) {
  if (!flags.kind.empty()) return *find_choice<PairKind>(flags.kind);
  const std::string subject = bids_subject(flags.to);
  if (subject.empty() || subject != bids_subject(image.image)) return PairKind::diffeomorphic;
  log::info("'{}' and '{}' are of one subject: --kind rigid", image.image, flags.to);
  return PairKind::rigid;
}

std::vector<Job> plan(const PairJobs& jobs) {
  std::vector<Job> out;
  const Path folder = jobs.images.output;
  refuse_links(folder, {"transforms", "warped", "labels"});
  for (const NamedImage& image : name_images(jobs.images)) {
    const PairKind kind = kind_of(jobs.pair, image);
    const std::string ending = kind == PairKind::diffeomorphic ? "nii.gz" : "tfm";
    const auto transform = [&](const char* from, const char* to, const std::string& what) {
      return folder / "transforms" /
             fmt::format("{}_from-{}_to-{}_mode-image_{}", image.name, from, to, what);
    };
    out.push_back({image, kind, transform("moving", "fixed", "xfm." + ending),
                   transform("fixed", "moving", "xfm." + ending),
                   transform("moving", "fixed", "affine.tfm"),
                   folder / "warped" / (image.name + ".nii.gz"),
                   folder / "labels" / (image.name + ".nii.gz")});
  }
  return out;
}

class Work {
 public:
  explicit Work(const PairJobs& jobs)
      : jobs_(plan(jobs)), fields_(parse_field_grid(jobs.fields)), name_(jobs.pair.to) {
    const PairFlags& flags = jobs.pair;
    if (!flags.similarity.empty())
      options_.config.loss.similarity = *find_choice<SimilarityKind>(flags.similarity);
    if (flags.lambda >= 0) options_.config.loss.lambda = flags.lambda;
    options_.spacing_mm = flags.spacing;
    const bool all = !jobs.warped && !jobs.labels;
    warped_ = all || jobs.warped;
    fixed_ = read_image(name_);
    if (!flags.mask.empty()) mask_ = read_labels(flags.mask);
    if (jobs.labels && flags.labels.empty())
      fail_usage("--labels carries the labels of '{}' to the images: name them with --to-labels",
                 name_);
    if (!flags.labels.empty() && (all || jobs.labels)) {
      labels_ = read_labels(flags.labels);
      if (!same_grid(labels_->grid, fixed_.grid))
        fail("'{}' is {}, but '{}' is {}", flags.labels, describe(labels_->grid), name_,
             describe(fixed_.grid));
    }
    for (const Job& job : jobs_) {
      require_writable(job.to_fixed, jobs.force);
      require_writable(job.to_moving, jobs.force);
      if (job.kind == PairKind::diffeomorphic) require_writable(job.affine, jobs.force);
      if (warped_) require_writable(job.warped, jobs.force);
      if (labels_) require_writable(job.labels, jobs.force);
    }
    const bool small = fixed_.grid.voxels() < kVoxelsForThreads;
    side_by_side_ = small && jobs_.size() > 1;
    if (small && !side_by_side_ && !jobs.threads_given) set_threads(1);
    map_ = find_intensity_map(fixed_, mask_ ? &*mask_ : nullptr, {}, name_);
  }

  const std::vector<Job>& jobs() const { return jobs_; }
  bool side_by_side() const { return side_by_side_; }

  Result work(const Job& job) const {
    const auto start = std::chrono::steady_clock::now();
    const Image image = read_image(job.image.image);
    const std::optional<Labels> mask = read_mask(job.image);
    PairOptions options = options_;
    options.kind = job.kind;
    const PairRegistration found =
        register_pair({fixed_, mask_ ? &*mask_ : nullptr, name_},
                      {image, mask ? &*mask : nullptr, job.image.image}, options);
    Result result;
    result.linear = found.linear;
    result.bent = found.velocity.has_value();
    Chain to_moving = found.to_moving(), to_fixed = found.to_fixed();
    if (result.bent) {
      const Grid there = choose_field_grid(fields_, found.grid, {0, 0, 0}, image.grid);
      ExportedFields fields =
          export_fields(std::move(to_moving), std::move(to_fixed), {0, 0, 0}, fixed_.grid, there);
      result.to_fixed = summarise_jacobian(fields.native_to_atlas);
      result.to_moving = summarise_jacobian(fields.atlas_to_native);
      write_displacement(job.to_fixed, fields.native_to_atlas);
      write_displacement(job.to_moving, fields.atlas_to_native);
      write_affine(job.affine, found.linear);
      to_moving = {std::move(fields.native_to_atlas)};
      to_fixed = {std::move(fields.atlas_to_native)};
    } else {
      write_affine(job.to_fixed, found.linear);
      write_affine(job.to_moving, inverse(found.linear));
    }
    measure(image, mask ? &*mask : nullptr, job, to_moving, to_fixed, result);
    if (warped_) write_image(job.warped, pull_back(image, to_moving, fixed_.grid));
    if (labels_) write_labels(job.labels, pull_back(*labels_, to_fixed, image.grid));
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }

 private:
  void measure(Image moving, const Labels* mask, const Job& job, const Chain& to_moving,
               const Chain& to_fixed, Result& result) const {
    apply(find_intensity_map(moving, mask, {}, job.image.image), moving);
    Image fixed = fixed_;
    apply(map_, fixed);
    result.similarity = evaluate::similarity_of(moving, {0, 0, 0}, to_moving, fixed);
    result.inverse = evaluate::inverse_consistency(to_moving, to_fixed, fixed.grid);
  }

  std::vector<Job> jobs_;
  FieldGrid fields_;
  std::string name_;
  PairOptions options_;
  Image fixed_;
  std::optional<Labels> mask_, labels_;
  IntensityMap map_;
  bool warped_ = false, side_by_side_ = false;
};

Json to_json(const Job& job, const Result& result) {
  const AffineParts parts = decompose(result.linear);
  const int dims = result.linear.dims;
  Json json{
      {"image", job.image.image},
      {"name", job.image.name},
      {"kind", name_of(job.kind)},
      {"matrix", first_rows(result.linear.matrix, dims)},
      {"offset_mm", first_entries(result.linear.offset, dims)},
      {"rotation_deg", dims == 2 ? Json(parts.rotation_deg[2]) : Json(parts.rotation_deg)},
      {"scale", first_entries(parts.scale, dims)},
      {"ncc_before", result.similarity.ncc_before},
      {"ncc_after", result.similarity.ncc_after},
      {"inverse_error_mm", {{"mean", result.inverse.mean_mm}, {"max", result.inverse.max_mm}}}};
  const auto jacobian = [](const JacobianSummary& j) {
    return Json{{"folds", j.folds}, {"jacobian_min", j.min}, {"jacobian_max", j.max}};
  };
  if (result.bent) {
    json["moving_to_fixed"] = jacobian(result.to_fixed);
    json["fixed_to_moving"] = jacobian(result.to_moving);
  }
  json["seconds"] = result.seconds;
  return json;
}

void print_text(const Job& job, const Result& result) {
  const std::string bent =
      result.bent
          ? fmt::format("  folds {} and {}  Jacobian {:.3f} to {:.3f}", result.to_fixed.folds,
                        result.to_moving.folds, result.to_fixed.min, result.to_fixed.max)
          : fmt::format("  determinant {:.4f}", determinant(result.linear.matrix));
  put("{}  {}  NCC {:.4f} -> {:.4f}{}  inverse error {:.4f} mm  {:.2f} s\n", job.image.name,
      name_of(job.kind), result.similarity.ncc_before, result.similarity.ncc_after, bent,
      result.inverse.mean_mm, result.seconds);
}

}  // namespace

void add_pair_flags(CLI::App& app, PairFlags& flags) {
  app.add_option("--to", flags.to,
                 "Register to this image instead of an atlas; all arguments are images then")
      ->type_name("FILE");
  app.add_option("--to-mask", flags.mask, "With --to: its mask")->type_name("FILE");
  app.add_option("--to-labels", flags.labels,
                 "With --to: its labels, to be carried to the grid of each image")
      ->type_name("FILE");
  app.add_option(
         "--kind", flags.kind,
         "With --to: what is found. Without it diffeomorphic, or rigid if the names of both "
         "files begin with the same sub-LABEL")
      ->check(CLI::IsMember(words_of<PairKind>()));
  app.add_option("--similarity", flags.similarity,
                 "With --to: how the two are compared, by default lncc; maps by ncc where it is "
                 "lncc. mi is for images of different contrast")
      ->check(CLI::IsMember(words_of<SimilarityKind>()));
  app.add_option("--lambda", flags.lambda, "With --to: weight of the regularity [loss.lambda]")
      ->type_name("W")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--spacing", flags.spacing,
                 "With --to: the deformation is found at this spacing if that is coarser [of the "
                 "image that is registered to]")
      ->type_name("MM")
      ->check(CLI::PositiveNumber);
}

void require_no_pair_flags(const PairFlags& flags) {
  const std::pair<bool, const char*> given[] = {
      {!flags.mask.empty(), "--to-mask"}, {!flags.labels.empty(), "--to-labels"},
      {!flags.kind.empty(), "--kind"},    {!flags.similarity.empty(), "--similarity"},
      {flags.lambda >= 0, "--lambda"},    {flags.spacing > 0, "--spacing"}};
  for (const auto& [is, flag] : given)
    if (is)
      throw Error(fmt::format("{} is for images that are registered to an image", flag),
                  ExitCode::usage)
          .hint("name that image with --to, or omit the flag: an atlas has its own settings");
}

void register_to_image(PairJobs jobs) {
  jobs.images.images.insert(jobs.images.images.begin(), jobs.images.run);
  Work work(jobs);
  Json all = Json::array();
  std::vector<NamedImage> images;
  for (const Job& job : work.jobs()) images.push_back(job.image);
  std::vector<Result> results(images.size());
  const auto tell = [&](std::size_t i) {
    all.push_back(to_json(work.jobs()[i], results[i]));
    if (!jobs.json && log::level() != log::Level::quiet) print_text(work.jobs()[i], results[i]);
  };
  work_through(
      images, "registered", work.side_by_side(),
      [&](std::size_t i) { results[i] = work.work(work.jobs()[i]); }, tell,
      [&] {
        if (jobs.json) print_json(all);
      });
}

}  // namespace aladdin::app
