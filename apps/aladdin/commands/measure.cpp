// aladdin measure: how much larger or smaller each subject is than the atlas, as maps and by structure.
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/links.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/measure/mask.h"
#include "aladdin/measure/measures_table.h"
#include "command.h"
#include "evaluate_files.h"
#include "json.h"
#include "output.h"
#include "versions.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Measures how much larger or smaller every subject is than the atlas, at each point of the atlas "
    "and by structure. RUN is a folder that 'aladdin build' made.\n\n"
    "The maps are log-Jacobians in atlas space: positive where the subject is larger than the atlas, "
    "negative where it is smaller. The absolute map has size in it; from the relative map the overall "
    "size, that of an affine fit over the analysed part of the atlas, is removed.\n\n"
    "measures.csv has one line per subject and structure, with the covariates of the cohort: the volume "
    "counted in the subject's own label map, the volume that the transform gives to the atlas's "
    "structure, and the mean of both log-Jacobians over it. measures.json has settings and "
    "definitions.\n\n"
    "With --to-atlas, images that were registered later are measured against the atlas of RUN, or, "
    "without RUN, against the atlas that --atlas or --atlas-labels names. Any transforms that ITK reads "
    "will do; {id} stands for the subject.\n\n"
    "docs/statistics.md has the formulas, and says which map to model when.";

constexpr const char* kMapEnd = "_logjacobian.nii.gz";

struct Options {
  std::string run, output, mask, total, names, split = "all", maps = "both";
  FileFlags files;
  double smooth_mm = 0;
  bool json = false, force = false;

  bool writes(const char* kind) const { return maps == "both" || maps == kind; }
  Path folder() const { return Path(output) / "maps"; }
  Path map(const std::string& id, const char* kind) const {
    return folder() / fmt::format("{}_space-atlas_desc-{}{}", id, kind, kMapEnd);
  }
  Path csv() const { return Path(output) / "measures.csv"; }
  Path record() const { return Path(output) / "measures.json"; }
};

evaluate::Source find_source(const Options& options) {
  const FileFlags& files = options.files;
  if (options.run.empty() && !files.given())
    fail_usage("expected a RUN, or --to-atlas and --atlas");
  if (options.run.empty()) {
    if (files.atlas.empty() && files.atlas_labels.empty())
      fail_usage("--atlas or --atlas-labels is missing: the atlas of which grid?");
    return source_of_files(files, options.split, Needs::transforms);
  }
  if (!files.atlas.empty())
    fail_usage("--atlas is for transforms without a RUN, which has its own");
  evaluate::Source atlas = evaluate::atlas_of_run(options.run);
  if (!files.atlas_labels.empty()) atlas.segmentation = files.atlas_labels;
  evaluate::Source source;
  if (files.given() || !files.images.empty()) {
    FileFlags with_atlas = files;
    with_atlas.atlas = atlas.atlas.string();
    with_atlas.atlas_labels = atlas.segmentation.string();
    source = source_of_files(with_atlas, options.split, Needs::transforms);
    source.label_names.insert(atlas.label_names.begin(), atlas.label_names.end());
  } else {
    source = evaluate::source_of_run(options.run, options.split, evaluate::Unlabelled::keep);
  }
  source.segmentation = atlas.segmentation;
  source.atlas_is_mapped = true;
  return source;
}

// Nothing is written yet: all that can be refused is refused here.
void require_output(const Options& options, const evaluate::Source& source) {
  refuse_links(options.output, {"maps"});
  require_writable(options.csv(), options.force);
  require_writable(options.record(), options.force);
  for (const auto& subject : source.subjects)
    for (const char* kind : {"absolute", "relative"})
      if (options.writes(kind)) require_writable(options.map(subject.id, kind), options.force);
}

// With --force maps of other subjects or settings must not stay among the new ones. The record goes first:
// a folder without it is not whole.
void remove_earlier(const Options& options) {
  std::error_code problem;
  std::filesystem::remove(options.record(), problem);
  std::filesystem::remove(options.csv(), problem);
  std::vector<Path> old;
  for (std::filesystem::directory_iterator entry(options.folder(), problem), end;
       !problem && entry != end; entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(kMapEnd) && name.find("_space-atlas_desc-") != std::string::npos)
      old.push_back(entry->path());
  }
  for (const Path& file : old) std::filesystem::remove(file, problem);
}

std::vector<measure::SubjectMeasures> measure_all(const Options& options,
                                                  const evaluate::Source& source,
                                                  const measure::Measurer& measurer) {
  std::vector<measure::SubjectMeasures> all(source.subjects.size());
  Progress progress("measuring", static_cast<std::int64_t>(all.size()));
  parallel_for(static_cast<std::int64_t>(all.size()), [&](std::int64_t i) {
    auto measured = measurer.measure(source.subjects[i]);
    const std::string& id = measured.measures.id;
    if (options.writes("absolute")) write_image(options.map(id, "absolute"), measured.absolute);
    if (options.writes("relative")) write_image(options.map(id, "relative"), measured.relative);
    all[i] = std::move(measured.measures);
    progress.advance();
  });
  return all;
}

Json definitions(int dims) {
  const std::string unit = fmt::format("mm^{}", dims);
  return {
      {"absolute_log_jacobian",
       "log of the determinant of d(native point)/d(atlas point); positive: the subject is larger "
       "there than the atlas; no unit"},
      {"relative_log_jacobian", "absolute minus affine_log_jacobian of the subject; no unit"},
      {"affine_log_jacobian",
       "log of |det A| of the least-squares affine fit of the native points over the mask; no unit"},
      {"volume", "voxels of the structure in the native label map, " + unit},
      {"jacobian_volume",
       "sum of exp(absolute log-Jacobian) over the atlas's structure times the volume of a voxel, " +
           unit},
      {"log_jacobian, relative_log_jacobian", "unsmoothed means over the atlas's structure"},
      {"folds", "voxels of the atlas grid with a determinant of 0 or less"}};
}

Json record_of(const Options& options, const evaluate::Source& source,
               const measure::Measurer& measurer,
               const std::vector<measure::SubjectMeasures>& all) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  std::int64_t folds = 0, voxels = 0;
  for (const auto& subject : all) folds += subject.folds;
  for (const auto inside : measurer.mask()) voxels += inside;
  Json out{
      {"format", "aladdin measures"},
      {"version", 1},
      {"program", kAladdinVersion},
      {"run", or_null(options.run)},
      {"source", source.name},
      {"atlas", or_null(source.atlas.string())},
      {"atlas_labels", or_null(source.segmentation.string())},
      {"settings",
       {{"split", options.split},
        {"smooth_fwhm_mm", options.smooth_mm},
        {"mask", options.mask.empty() ? (source.segmentation.empty() ? "foreground of the atlas"
                                                                     : "labels of the atlas")
                                      : options.mask},
        {"mask_voxels", voxels},
        {"total",
         measurer.options().total.empty() ? Json("all labels") : Json(measurer.options().total)},
        {"maps", options.maps}}},
      {"definitions", definitions(measurer.atlas().grid.dims)},
      {"grid", describe_grid(measurer.atlas().grid)},
      {"covariates", source.covariates},
      {"subjects", all.size()},
      {"folds", folds},
      {"structures", measure::structures_json(all)},
      {"by_subject", Json::array()}};
  for (const auto& subject : all)
    out["by_subject"].push_back({{"id", subject.id},
                                 {"split", subject.split},
                                 {"folds", subject.folds},
                                 {"affine_log_jacobian", subject.affine_log_jacobian}});
  return out;
}

void warn_of_folds(const std::vector<measure::SubjectMeasures>& all) {
  std::int64_t voxels = 0, subjects = 0;
  for (const auto& subject : all) {
    voxels += subject.folds;
    subjects += subject.folds > 0;
  }
  if (voxels > 0)
    log::warn("the transforms of {} fold in {}: the log-Jacobian there is that of a floor",
              counted(subjects, "subject"), counted(voxels, "voxel"));
}

void run(const Options& options) {
  measure::MeasureOptions how;
  how.smooth_mm = options.smooth_mm;
  how.total = parse_labels("--total", options.total);
  evaluate::Source source = find_source(options);
  put_names(options.names, source.label_names);
  require_output(options, source);
  const measure::Measurer measurer(source, how, measure::read_mask(options.mask, source));
  if (options.force) remove_earlier(options);
  const auto all = measure_all(options, source, measurer);
  const Json record = record_of(options, source, measurer, all);
  write_text(options.csv(), measure::to_csv(source, all));
  write_text(options.record(), record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  warn_of_folds(all);
  if (options.json)
    print_json(record);
  else
    put("{}, mean (sd)\n{}", counted(static_cast<long long>(all.size()), "subject"),
        measure::to_text(all, measurer.atlas().grid.dims));
  log::info("the measures are in {}", options.output);
}

void add_files(CLI::App& app, FileFlags& files) {
  const auto option = [&](const char* name, std::string& to, const char* type, const char* text) {
    app.add_option(name, to, text)->type_name(type);
  };
  add_repeatable(app, "--to-atlas", files.to_atlas, "PATTERN[,inverse]",
                 "Measure these transforms instead of those of RUN; they pull a subject into atlas "
                 "space, stacked as in 'aladdin warp'");
  add_repeatable(app, "--to-native", files.to_native, "PATTERN[,inverse]",
                 "Transforms that pull the atlas to a subject; inverted if there is no --to-atlas");
  option("--cohort", files.cohort, "SOURCE",
         "The subjects, with labels, splits and covariates, as for 'aladdin cohort'");
  option("--labels", files.labels, "PATTERN", "Their label maps, for volumes");
  option("--images", files.images, "PATTERN", "Images, which name the subjects");
  option("--atlas", files.atlas, "FILE", "Image of the atlas, without a RUN");
  option("--atlas-labels", files.atlas_labels, "FILE",
         "Labels of the atlas (default: those of RUN)");
}

std::function<void()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("RUN", options->run, "Run directory")->type_name("DIR");
  app.add_option("-o,--output", options->output, "Folder for maps and tables")
      ->type_name("DIR")
      ->required();
  app.add_option(
         "--smooth", options->smooth_mm,
         "Smooth the maps by a Gaussian of this full width at half maximum, within the mask")
      ->type_name("MM")
      ->capture_default_str()
      ->check([](const std::string& text) {
        const auto number = parse_number(text);
        return number && *number >= 0 ? "" : fmt::format("'{}', expected mm, 0 or more", text);
      });
  app.add_option("--total", options->total,
                 "Labels that make up the total, such as 1,2,3 (default: all)")
      ->type_name("LABELS");
  app.add_option("--mask", options->mask,
                 "Analysed part, on the atlas grid (default: the labels of the atlas, else its "
                 "foreground)")
      ->type_name("FILE");
  app.add_option("--split", options->split, "Subjects to measure")
      ->type_name("NAME")
      ->capture_default_str()
      ->check(CLI::IsMember({"all", "train", "val", "test"}));
  app.add_option("--maps", options->maps, "Maps to write")
      ->type_name("KIND")
      ->capture_default_str()
      ->check(CLI::IsMember({"absolute", "relative", "both", "none"}));
  add_files(app, options->files);
  add_names(app, options->names);
  add_json(app, options->json);
  add_force(app, options->force);
  add_nan(app);
  add_threads(app);
  return [options] { run(*options); };
}

}  // namespace

Command measure_command() {
  return {
      "measure",
      "Measure sizes of subjects against the atlas: maps and structures",
      kDescription,
      {{"measure run -o sizes --smooth 6", "all subjects of a run, maps smoothed by 6 mm"},
       {"measure run -o sizes --maps none --total 1,3", "the table alone; the bones are the total"},
       {"measure run --to-atlas 'out/transforms/{id}_from-native_to-atlas_mode-image_xfm.nii.gz' -o new",
        "images that 'aladdin register' brought to the run's atlas"},
       {"measure --to-atlas '{id}_1Warp.nii.gz' --atlas template.nii.gz -o sizes",
        "fields of another program"}},
      declare};
}

}  // namespace aladdin::app
