#include <fmt/format.h>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/image/png.h"
#include "aladdin/report/slices.h"
#include "command.h"

namespace aladdin::app {
namespace {

struct SnapshotFlags {
  std::vector<std::string> images, labels;
  std::vector<double> at_mm, offset_mm;
  std::string output;
  report::SliceOptions options;
  bool no_captions = false;
  bool force = false;
};

Vec3 to_point(const char* flag, const std::vector<double>& numbers, int dims) {
  if (static_cast<int>(numbers.size()) != dims)
    fail_usage("{} has {} numbers, expected {} (mm along left, posterior{}) for a {}-D image", flag,
               numbers.size(), dims, dims == 3 ? ", superior" : "", dims);
  return {numbers[0], numbers[1], dims == 3 ? numbers[2] : 0.0};
}

void validate(SnapshotFlags& flags) {
  if (!flags.labels.empty() && flags.labels.size() != flags.images.size())
    throw Error(fmt::format("--labels names {} files for {} images", flags.labels.size(),
                            flags.images.size()),
                ExitCode::usage)
        .hint("give one label map for each image, in the same order, and the images first");
  flags.options.captions = !flags.no_captions;
  flags.options.validate();
  require_png_extension(flags.output);
  require_writable(flags.output, flags.force);
  if (flags.at_mm.empty() && flags.offset_mm.empty()) return;
  const int dims = read_header(flags.images.front()).grid.dims;
  if (!flags.at_mm.empty()) flags.options.at_mm = to_point("--at", flags.at_mm, dims);
  if (!flags.offset_mm.empty())
    flags.options.offset_mm = to_point("--offset", flags.offset_mm, dims);
}

// An intensity image of whole numbers can be read as labels, but its tint would be noise.
Labels read_label_map(const std::string& file) {
  Labels labels = read_labels(file);
  if (!looks_like_labels(labels))
    throw Error(fmt::format("'{}' is not a label map: it has more than {} values, negative ones, "
                            "or neighbours that mostly differ",
                            file, kMostLabels))
        .hint("is it an intensity image?");
  return labels;
}

void run(SnapshotFlags& flags) {
  validate(flags);
  std::vector<Image> images;
  std::vector<Labels> labels;
  for (const auto& file : flags.images) images.push_back(read_image(file));
  for (const auto& file : flags.labels) labels.push_back(read_label_map(file));
  std::vector<report::SliceRow> rows;
  for (std::size_t n = 0; n < images.size(); ++n)
    rows.push_back({stem_of(flags.images[n]), &images[n], labels.empty() ? nullptr : &labels[n]});
  write_png(flags.output, render_slices(rows, flags.options));
}

std::function<void()> declare(CLI::App& app) {
  auto flags = std::make_shared<SnapshotFlags>();
  app.add_option("IMAGE", flags->images, "Images, one row each")->type_name("FILE")->required();
  app.add_option("--labels", flags->labels, "Label maps to tint the images with, in the same order")
      ->type_name("FILE");
  app.add_option("-o,--output", flags->output, "The picture")->type_name("PNG")->required();
  app.add_option("--at", flags->at_mm,
                 "World point (LPS mm) on the slices (default: the centroid of the labels, or the "
                 "middle of the image)")
      ->type_name("X,Y,Z")
      ->delimiter(',');
  app.add_option("--offset", flags->offset_mm, "Shift the slices by these mm")
      ->type_name("X,Y,Z")
      ->delimiter(',');
  app.add_option("--panel", flags->options.panel_px, "Pixels along the longest side of a slice")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--opacity", flags->options.opacity, "Opacity of the label colours, 0 to 1")
      ->type_name("X")
      ->capture_default_str();
  app.add_flag("--plain-too", flags->options.plain_too, "Also show each slice without labels");
  app.add_flag("--neurological", flags->options.neurological,
               "Show the patient's left on the left (default: on the right)");
  app.add_flag("--no-captions", flags->no_captions, "Omit names and side marks");
  add_force(app, flags->force);
  add_nan(app);
  add_threads(app);
  return [flags] { run(*flags); };
}

}  // namespace

Command snapshot_command() {
  return {
      "snapshot",
      "Draw slices of images as a PNG",
      "Draws a sagittal, a coronal and an axial slice of each image, one image per row, tinted by its "
      "labels. Slices follow the axes of the world, not those of the file, and share one scale in mm. "
      "The convention is radiological unless --neurological is given.",
      {{"snapshot knee.nii.gz -o knee.png", "three planes through the middle"},
       {"snapshot a.nii.gz b.nii.gz --labels la.nii.gz lb.nii.gz -o two.png",
        "two subjects with their labels, through the labels' centroids"}},
      declare};
}

}  // namespace aladdin::app
