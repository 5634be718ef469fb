#include <fmt/format.h>

#include <algorithm>

#include "describe_file.h"

namespace aladdin::app {
namespace {

std::string numbers(const Json& values, const char* separator = ", ") {
  std::string text;
  for (const auto& value : values)
    text += fmt::format("{}{:.6g}", text.empty() ? "" : separator, value.get<double>() + 0.0);
  return text;
}

std::string line(const char* name, const std::string& text) {
  return fmt::format("  {:<14} {}\n", name, text);
}

std::string format_grid(const Json& grid) {
  std::string text = line("grid", grid["summary"].get<std::string>());
  text += line("origin", fmt::format("({}) mm, LPS", numbers(grid["origin_mm"])));
  const double oblique = grid["oblique_deg"];
  text += line("axes", oblique < 0.01 ? "along the world's"
                                      : fmt::format("oblique by {:.2f} degrees", oblique));
  return text;
}

std::string format_labels(const Json& labels) {
  const bool area = !labels.empty() && labels.front().contains("area_mm2");
  std::string text =
      fmt::format("  {:>10} {:>12} {:>14}\n", "label", "voxels", area ? "mm2" : "mm3");
  for (const auto& row : labels)
    text += fmt::format("  {:>10} {:>12} {:>14.1f}\n", row["label"].get<long long>(),
                        row["voxels"].get<long long>(),
                        row[area ? "area_mm2" : "volume_mm3"].get<double>());
  return text;
}

std::string format_affine(const Json& step) {
  std::string text;
  const int dims = step["dims"];
  for (int row = 0; row < dims; ++row) {
    std::string entries;
    for (const auto& value : step["matrix"][row])
      entries += fmt::format("{:>12.6f}", value.get<double>());
    entries += fmt::format("{:>14.6f}", step["offset_mm"][row].get<double>());
    text += line(row == 0 ? "matrix, offset" : "", entries);
  }
  text += line("scale", numbers(step["scale"]));
  text += line("shear", numbers(step["shear"]));
  text += line("rotation", numbers(step["rotation_deg"]) + " degrees");
  text += line("determinant", fmt::format("{:.6g}", step["determinant"].get<double>()));
  return text;
}

std::string format_displacement(const Json& step) {
  const auto& jacobian = step["jacobian"];
  std::string text = format_grid(step["grid"]);
  text += line("displacement",
               fmt::format("mean {:.4g} mm, max {:.4g} mm", step["mean_mm"].get<double>(),
                           step["max_mm"].get<double>()));
  text += line("Jacobian",
               fmt::format("{:.4g} to {:.4g}, mean {:.4g}, sd of log {:.4g}",
                           jacobian["min"].get<double>(), jacobian["max"].get<double>(),
                           jacobian["mean"].get<double>(), jacobian["log_sd"].get<double>()));
  text += line("folds", fmt::format("{} of {} voxels", step["folds"].get<long long>(),
                                    step["voxels"].get<long long>()));
  return text;
}

std::string format_transform(const Json& description) {
  const auto& steps = description["steps"];
  std::string text;
  if (description.contains("stored_as"))
    text += line("stored as", description["stored_as"].get<std::string>());
  if (description.contains("note")) text += line("note", description["note"].get<std::string>());
  if (steps.size() > 1)
    text += line("transforms", fmt::format("{}, in the order in which they are applied to a point",
                                           steps.size()));
  for (const auto& step : steps) {
    const bool affine = step["kind"] == "affine";
    text += line("transform", affine                           ? "affine"
                              : step["kind"] == "displacement" ? "displacement field"
                                                               : "inverse of a displacement field");
    text += affine ? format_affine(step) : format_displacement(step);
  }
  return text;
}

std::string format_volumes(const Json& description) {
  double low = description["values"][0]["min"], high = description["values"][0]["max"];
  for (const auto& volume : description["values"]) {
    low = std::min(low, volume["min"].get<double>());
    high = std::max(high, volume["max"].get<double>());
  }
  std::string text =
      line("volumes", fmt::format("{}, {}, {}", description["volumes"].get<long long>(),
                                  description["format"].get<std::string>(),
                                  description["type"].get<std::string>()));
  text += format_grid(description["grid"]);
  if (description.contains("note")) text += line("note", description["note"].get<std::string>());
  return text + line("values", fmt::format("{:.6g} to {:.6g}", low, high));
}

std::string format_model(const Json& description) {
  std::string text =
      line("model", fmt::format("{}, version {}, {}-D", description["format"].get<std::string>(),
                                description["version"].get<int>(), description["dims"].get<int>()));
  text += format_grid(description["grid"]);
  text += line("padded to", numbers(description["padded_size"], " x "));
  if (!description.contains("network"))
    return text + line("network", "none: images are registered by optimisation");
  const auto& network = description["network"];
  text += line("network", fmt::format("U-Net of width {} and depth {}, {} parameters",
                                      network["width"].get<int>(), network["depth"].get<int>(),
                                      network["parameters"].get<long long>()));
  text += line("passes", fmt::format("at 1/{}", numbers(network["passes"], ", 1/")));
  return text + line("velocity",
                     network["velocity_scale"] == 1 ? "at full resolution" : "at half resolution");
}

}  // namespace

std::string format_description(const Json& description) {
  std::string text = description["file"].get<std::string>() + "\n";
  if (description["kind"] == "transform") return text + format_transform(description);
  if (description["kind"] == "volumes") return text + format_volumes(description);
  if (description["kind"] == "model") return text + format_model(description);
  const bool labels = description.contains("labels");
  text += line(labels ? "label map" : "image",
               fmt::format("{}, {}", description["format"].get<std::string>(),
                           description["type"].get<std::string>()));
  text += format_grid(description["grid"]);
  if (description.contains("note")) text += line("note", description["note"].get<std::string>());
  if (labels) return text + format_labels(description["labels"]);
  const auto& values = description["values"];
  text += line("values", fmt::format("{:.6g} to {:.6g}, mean {:.6g}, sd {:.6g}",
                                     values["min"].get<double>(), values["max"].get<double>(),
                                     values["mean"].get<double>(), values["sd"].get<double>()));
  return text;
}

}  // namespace aladdin::app
