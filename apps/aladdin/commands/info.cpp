// aladdin info: describes images, label maps, transforms and models.
#include <fmt/format.h>

#include "aladdin/core/error.h"
#include "command.h"
#include "describe_file.h"
#include "output.h"

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
        put("{}", format_description(description));
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
      "Prints what each file is. Image: format, pixel type, grid and range of values. Label map (see "
      "'aladdin warp' for the rule): every label with its voxels and volume. Displacement field: its "
      "size, the range of its Jacobian determinant and the number of folded voxels. Affine: matrix, "
      "scale, shear, rotation and determinant. 4-D image such as atlas_probabilities.nii.gz: grid and "
      "number of volumes. Model (model.safetensors): version, grid and network. Deformations of SPM "
      "(y_*.nii) and NiftyReg are described after their conversion to displacements.\n\n"
      "If a file cannot be read, the others are still described, and the exit code is 1.",
      {{"info t1.nii.gz labels.nii.gz", "geometry and content of two images"},
       {"info --json warp.nii.gz affine.mat", "two transforms, for a script"}},
      [](CLI::App& app) {
        auto files = std::make_shared<std::vector<std::string>>();
        auto json = std::make_shared<bool>(false);
        app.add_option("FILE", *files, "Images, label maps, transforms, models, DICOM folders")
            ->required()
            ->type_name("FILE");
        add_json(app, *json);
        add_nan(app);
        add_threads(app);
        return [files, json] { describe_all(*files, *json); };
      }};
}

}  // namespace aladdin::app
