// aladdin transform: composes, inverts, converts and describes transforms.
#include <fmt/format.h>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/log.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/transform_file.h"
#include "command.h"
#include "describe_file.h"
#include "output.h"
#include "transform_argument.h"

namespace aladdin::app {
namespace {

constexpr const char* kDescription =
    "Writes a chain of transforms as one file, or without -o describes it.\n\n"
    "The chain is that of 'aladdin warp': a transform maps points of the space resampled to into the "
    "space resampled from, and the last one given is applied first. ',inverse' inverts a file, "
    "--invert the whole.\n\n"
    "OUT says what is written. A field (.nii.gz, .nii, .nrrd, .mha, .mif) holds the whole chain, "
    "sampled on the grid of --like, or of the field that is applied first. A matrix (.tfm, .txt, "
    ".mat, .lta) holds affines, exactly. .h5 and .x5, and .tfm or .txt where the chain has a field, hold a "
    "composite: every part as it is, inverses of fields sampled on the grids of those.\n\n"
    "--format says whose file it becomes: itk (the default, also that of Greedy's fields), ants (OUT "
    "is the prefix: OUT0GenericAffine.mat, OUT1Warp.nii.gz, OUT1InverseWarp.nii.gz), greedy (also "
    "c3d: RAS matrix as text), mrtrix, niftyreg, niftyreg-disp, fsl, spm, lta, x5. FSL and LTA mean the "
    "voxels of two images: --like and --source.\n\n"
    "What is read is recognised by its name and header, except for plain matrices as text and 4-D "
    "NIfTI: add ',as=greedy' (also c3d, NiftyReg and MRtrix3), ',as=mrtrix' or "
    "',as=fsl,src=IMAGE,ref=IMAGE'. docs/transforms.md has every format.";

struct Options {
  std::vector<std::string> transforms;
  std::string like, source, format = "auto", output;
  bool invert = false, json = false, force = false;
};

void require_usage(const Options& options) {
  if (options.transforms.empty()) fail_usage("expected at least one --transform FILE");
  if (!options.output.empty()) {
    if (options.json) fail_usage("--json describes a transform, and does not go with -o");
    return;
  }
  if (options.format != "auto") fail_usage("--format does nothing without -o OUT");
  if (!options.source.empty()) fail_usage("--source does nothing without -o OUT");
}

Chain chain_of(const Options& options) {
  Chain chain = read_chain(options.transforms);
  if (!options.invert) return chain;
  try {
    return inverse(std::move(chain));
  } catch (Error& error) {
    throw error.within("the transform has no inverse");
  }
}

std::optional<Grid> grid_of(const std::string& image, const Chain& chain) {
  if (image.empty()) return std::nullopt;
  const Grid grid = read_header(image).grid;
  if (!chain.empty() && dims_of(chain.front()) != grid.dims)
    fail("'{}' is {}-D, but the transform is {}-D", image, grid.dims, dims_of(chain.front()));
  return grid;
}

void describe(const Options& options) {
  const Chain chain = chain_of(options);
  std::string name;
  for (const auto& one : options.transforms) name += (name.empty() ? "" : " ") + one;
  Json json{{"file", options.invert ? name + ", inverted" : name},
            {"kind", "transform"},
            {"steps", describe_steps(chain)}};
  if (const auto grid = grid_of(options.like, chain))
    json["on_like"] = describe_steps({to_displacement(chain, *grid)}).front();
  if (options.json) return print_json(json);
  put("{}", format_description(json));
  if (!json.contains("on_like")) return;
  put("{}", format_description({{"file", fmt::format("on the grid of {}", options.like)},
                                {"kind", "transform"},
                                {"steps", Json::array({json["on_like"]})}}));
}

void convert(const Options& options) {
  const Chain chain = chain_of(options);
  TransformOutput output;
  output.format = parse_transform_format(options.format);
  output.grid = grid_of(options.like, chain);
  output.source = grid_of(options.source, chain);
  output.grid_name = options.like;
  output.source_name = options.source;
  const std::vector<Path> files = files_of_transform(options.output, chain, output);
  for (const auto& file : files) require_writable(file, options.force);
  write_transform(options.output, chain, output);
  for (const auto& file : files) log::info("wrote '{}'", file.string());
}

}  // namespace

Command transform_command() {
  return {
      "transform",
      "Compose, invert, convert or describe transforms",
      kDescription,
      {{"transform -t s1_from-native_to-atlas_mode-image_xfm.nii.gz -t affine.mat -o whole.nii.gz",
        "an affine and a field as one field, on the grid of --like or of the affine's successor"},
       {"transform -t warp.nii.gz -o warp.mif", "for MRtrix3's 'mrtransform -warp'"},
       {"transform -t affine.mat,as=fsl,src=t1.nii.gz,ref=mni.nii.gz -o affine.lta --like mni.nii.gz "
        "--source t1.nii.gz",
        "FLIRT's matrix for FreeSurfer"},
       {"transform -t y_t1.nii -t affine.tfm,inverse --invert --like t1.nii.gz -o back.nii.gz",
        "the inverse of a chain"},
       {"transform -t reg0GenericAffine.mat -t reg1Warp.nii.gz --like atlas.nii.gz",
        "how large a transform of ANTs is on an image, and where it folds"}},
      [](CLI::App& app) {
        auto options = std::make_shared<Options>();
        add_repeatable(app, "-t,--transform", options->transforms, "FILE[,inverse]",
                       "A transform, with ',inverse', ',as=FORMAT', ',src=IMAGE' or ',ref=IMAGE' "
                       "behind it; repeatable, the last is applied first");
        app.add_flag("--invert", options->invert, "Invert the whole chain");
        app.add_option("--like", options->like,
                       "Image of the space resampled to: the grid of a field")
            ->type_name("FILE");
        app.add_option("--source", options->source,
                       "Image that the transform resamples, for --format fsl and lta")
            ->type_name("FILE");
        app.add_option("--format", options->format,
                       "Whose file to write (auto: by the name of OUT)")
            ->type_name("NAME")
            ->capture_default_str()
            ->check(CLI::IsMember({"auto", "itk", "ants", "greedy", "mrtrix", "niftyreg",
                                   "niftyreg-disp", "fsl", "spm", "lta", "x5"}));
        app.add_option("-o,--output", options->output, "The result; for ants its prefix")
            ->type_name("FILE");
        add_json(app, options->json);
        add_threads(app);
        add_force(app, options->force);
        return [options] {
          require_usage(*options);
          options->output.empty() ? describe(*options) : convert(*options);
        };
      }};
}

}  // namespace aladdin::app
