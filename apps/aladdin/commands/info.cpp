#include <fmt/format.h>

#include "aladdin/core/error.h"
#include "command.h"
#include "describe_file.h"

namespace aladdin::app {
namespace {

void describe_all(const std::vector<std::string>& files, bool json) {
  Json all = Json::array();
  std::vector<std::string> problems;
  for (const auto& file : files) {
    try {
      const Json description = describe_file(file);
      if (json) {
        all.push_back(description);
      } else {
        fmt::print("{}", format_description(description));
      }
    } catch (const Error& error) {
      problems.emplace_back(error.what());
      all.push_back({{"file", file}, {"error", error.what()}});
    }
  }
  if (json) print_json(all);
  if (problems.size() == 1) throw Error(problems.front());
  if (problems.empty()) return;
  std::string list =
      fmt::format("{} of {} files could not be described:", problems.size(), files.size());
  for (const auto& problem : problems) list += "\n  " + problem;
  throw Error(list);
}

}  // namespace

Command info_command() {
  return {
      "info",
      "Describe images, label maps, transforms and models",
      "Prints what each file is: for an image its format, pixel type, grid and range of values; "
      "for a label map (see 'aladdin warp' for the rule) every label with its voxels and volume; "
      "for a displacement field its size, the range of its Jacobian determinant and the voxels "
      "where it folds; for an affine its matrix, scale, shear, rotation and determinant; for a 4-D "
      "image such as atlas_probabilities.nii.gz its grid and the number of its volumes; for a model "
      "(model.safetensors) its version, grid and network. Deformations of SPM (y_*.nii) and NiftyReg are "
      "described as the displacements that they are converted to. A "
      "file that cannot be read does not stop the others; the exit code is then 1.",
      {{"info t1.nii.gz labels.nii.gz", "geometry and content of two images"},
       {"info --json warp.nii.gz affine.mat", "two transforms, for a script"}},
      [](CLI::App& app) {
        auto files = std::make_shared<std::vector<std::string>>();
        auto json = std::make_shared<bool>(false);
        app.add_option("FILE", *files, "Images, label maps, transforms, models, DICOM folders")
            ->required()
            ->type_name("FILE");
        add_json(app, *json);
        add_threads(app);
        return [files, json] { describe_all(*files, *json); };
      }};
}

}  // namespace aladdin::app
