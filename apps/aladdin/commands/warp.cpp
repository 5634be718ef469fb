// aladdin warp: takes an image, a label map or a list of points through a chain of transforms.
#include <fmt/format.h>

#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/log.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"
#include "command.h"
#include "output.h"
#include "point_file.h"
#include "transform_argument.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Resamples IMAGE onto the grid of --like, or moves points.\n\n"
    "A transform maps points of the space resampled to (--like) into the space resampled from "
    "(IMAGE), as in ITK and ANTs. Several are stacked as in ITK's composites: the last one "
    "given is applied first to the points of --like. So with --transform affine.mat --transform "
    "warp.nii.gz a point of --like goes through warp.nii.gz, then through affine.mat, into IMAGE. "
    "Add ',inverse' to a file to invert it: an affine exactly, a displacement field numerically at "
    "every point. Files: displacement fields (vector NIfTI, NRRD, MHA; LPS mm), ITK and ANTs "
    "affines and composites (.tfm .txt .mat .h5), SPM deformations (y_*.nii), NiftyReg deformation "
    "and displacement fields, or the word 'identity'.\n\n"
    "Points move with the transform, opposite to the image: the chain that pulls the atlas onto a "
    "native grid (from-atlas_to-native) takes native points to the atlas. So does the other file "
    "with ',inverse'.\n\n"
    "Without --interp, an image of an integer type counts as a label map if it has at most 1024 "
    "distinct values, none of them negative, and if at least half of the neighbours along the first "
    "axis that are not both 0 are equal. Label maps are then resampled with 'label', images with "
    "'linear'. Images are written as float32, label maps as the smallest integer type.";

struct Options {
  std::string image, points, like, output, interpolation;
  std::vector<std::string> transforms;
  bool ras = false, force = false;
};

void require_usage(const Options& options) {
  if (options.image.empty() == options.points.empty())
    fail_usage("expected either an IMAGE or --points FILE");
  if (options.points.empty()) {
    if (options.output.empty()) fail_usage("-o OUT is missing: where should the image go?");
    if (options.ras) fail_usage("--ras is for --points");
    require_image_extension(options.output);
  } else {
    if (!options.like.empty()) fail_usage("--like does not apply to --points");
    if (!options.interpolation.empty()) fail_usage("--interp does not apply to --points");
  }
  if (!options.output.empty() && options.output != "-")
    require_writable(options.output, options.force);
}

void refuse_transform(const std::string& file) {
  std::error_code ignored;
  if (has_transform_extension(file) && std::filesystem::is_regular_file(file, ignored))
    throw Error(fmt::format("'{}' is a transform file, expected an image", file))
        .hint("name transforms with --transform");
}

Grid output_grid(const Options& options, const Chain& chain) {
  if (!options.like.empty()) return read_header(options.like).grid;
  if (!chain.empty())
    if (const auto* field = std::get_if<Displacement>(&chain.front())) return field->grid();
  throw Error("--like is missing, and the transform that is applied first has no grid of its own",
              ExitCode::usage)
      .hint("name an image on the wanted grid with --like");
}

void warp_image(const Options& options) {
  refuse_transform(options.image);
  refuse_transform(options.like);
  const ImageHeader header = read_header(options.image);
  const Chain chain = read_chain(options.transforms);
  const Grid grid = output_grid(options, chain);
  if (!chain.empty() && dims_of(chain.front()) != header.grid.dims)
    fail("'{}' is {}-D, but the transform is {}-D", options.image, header.grid.dims,
         dims_of(chain.front()));
  if (grid.dims != header.grid.dims)
    fail("'{}' is {}-D, but '{}' is {}-D", options.image, header.grid.dims, options.like,
         grid.dims);

  std::optional<Interpolation> asked;
  if (!options.interpolation.empty()) asked = parse_interpolation(options.interpolation);
  std::optional<Labels> labels;
  if (!asked || *asked == Interpolation::nearest) labels = read_if_labels(options.image);
  if (asked == Interpolation::label) labels = read_labels(options.image);
  if (!asked)
    log::info("'{}' is taken for {}", options.image,
              labels ? "a label map (--interp label)" : "an image (--interp linear)");
  if (labels) {
    write_labels(options.output,
                 pull_back(*labels, chain, grid, asked.value_or(Interpolation::label)));
  } else {
    write_image(options.output, pull_back(read_image(options.image), chain, grid,
                                          asked.value_or(Interpolation::linear)));
  }
}

void warp_points(const Options& options) {
  const Chain chain = read_chain(options.transforms);
  PointFile file(options.points, chain.empty() ? 3 : dims_of(chain.front()), options.ras);
  map_points(chain, file.points());
  if (options.output.empty() || options.output == "-") {
    put("{}", file.text());
  } else {
    write_text(options.output, file.text());
  }
}

}  // namespace

Command warp_command() {
  return {
      "warp",
      "Resample an image or label map, or move points, through transforms",
      kDescription,
      {{"warp t1.nii.gz --transform s1_from-native_to-atlas_mode-image_xfm.nii.gz -o "
        "t1_in_atlas.nii.gz",
        "pull a native image into atlas space, onto the grid of the field"},
       {"warp atlas_labels.nii.gz --transform s1_from-atlas_to-native_mode-image_xfm.nii.gz --like "
        "t1.nii.gz -o labels.nii.gz",
        "bring the atlas labels to the subject"},
       {"warp t1.nii.gz --transform affine.mat,inverse --like atlas.nii.gz -o out.nii.gz --interp "
        "bspline",
        "through the inverse of an ANTs affine"},
       {"warp --points landmarks.csv --transform s1_from-atlas_to-native_mode-image_xfm.nii.gz -o "
        "moved.csv",
        "take native landmarks to the atlas"}},
      [](CLI::App& app) {
        auto options = std::make_shared<Options>();
        app.add_option("IMAGE", options->image, "Image or label map to resample")
            ->type_name("FILE");
        add_repeatable(app, "-t,--transform", options->transforms, "FILE[,inverse]",
                       "A transform; ',inverse' inverts it; repeatable, the last is applied first");
        app.add_option("--like", options->like,
                       "Image on the output grid (default: the grid of the field that is applied "
                       "first)")
            ->type_name("FILE");
        app.add_option("-o,--output", options->output,
                       "The result (points: standard output by default)")
            ->type_name("FILE");
        app.add_option("--interp", options->interpolation,
                       "Interpolation (default: label for label maps, else linear)")
            ->type_name("NAME")
            ->check(CLI::IsMember({"linear", "nearest", "label", "bspline"}));
        app.add_option(
               "--points", options->points,
               "Move these points instead of an IMAGE: a CSV with the columns x, y, z in LPS "
               "mm (-: standard input)")
            ->type_name("FILE");
        app.add_flag("--ras", options->ras, "Read and write the points in RAS mm");
        add_nan(app);
        add_threads(app);
        add_force(app, options->force);
        return [options] {
          require_usage(*options);
          options->points.empty() ? warp_image(*options) : warp_points(*options);
        };
      }};
}

}  // namespace aladdin::app
