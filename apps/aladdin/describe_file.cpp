#include "describe_file.h"

#include <algorithm>
#include <cmath>

#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/transform/jacobian.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::app {
namespace {

double voxel_volume(const Grid& grid) { return std::abs(determinant(grid.index_to_point())); }

Json describe_labels(const Labels& labels) {
  const char* measure = labels.grid.dims == 3 ? "volume_mm3" : "area_mm2";
  Json json = Json::array();
  for (const auto& [label, voxels] : count_labels(labels))
    json.push_back({{"label", label},
                    {"voxels", voxels},
                    {measure, static_cast<double>(voxels) * voxel_volume(labels.grid)}});
  return json;
}

Json describe_values(const Image& image) {
  double low = image.values.front(), high = low, sum = 0, squares = 0;
  for (const double value : image.values) {
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  const double mean = sum / static_cast<double>(image.values.size());
  for (const double value : image.values) squares += (value - mean) * (value - mean);
  const double sd = std::sqrt(squares / static_cast<double>(image.values.size()));
  return {{"min", low}, {"max", high}, {"mean", mean}, {"sd", sd}};
}

Json describe_affine(const Affine& affine) {
  const AffineParts parts = decompose(affine);
  Json json{{"kind", "affine"},
            {"dims", affine.dims},
            {"matrix", first_rows(affine.matrix, affine.dims)},
            {"offset_mm", first_entries(affine.offset, affine.dims)},
            {"scale", first_entries(parts.scale, affine.dims)},
            {"shear", first_entries(parts.shear, affine.dims == 3 ? 3 : 1)}};
  json["rotation_deg"] = affine.dims == 3 ? first_entries(parts.rotation_deg, 3)
                                          : Json::array({parts.rotation_deg[2]});
  json["determinant"] = parts.determinant;
  return json;
}

Json describe_displacement(const Displacement& displacement) {
  const auto length = length_of(displacement);
  const auto jacobian = summarise_jacobian(displacement);
  return {{"kind", "displacement"},
          {"grid", describe_grid(displacement.grid())},
          {"mean_mm", length.mean_mm},
          {"max_mm", length.max_mm},
          {"jacobian",
           {{"min", jacobian.min},
            {"max", jacobian.max},
            {"mean", jacobian.mean},
            {"log_sd", jacobian.log_sd}}},
          {"folds", jacobian.folds},
          {"voxels", displacement.grid().voxels()}};
}

Json describe_transform(const Path& path) {
  Json steps = Json::array();
  for (const auto& transform : read_transform(path)) {
    const auto* affine = std::get_if<Affine>(&transform);
    steps.push_back(affine ? describe_affine(*affine)
                           : describe_displacement(std::get<Displacement>(transform)));
  }
  return {{"file", path.string()}, {"kind", "transform"}, {"steps", steps}};
}

Json describe_image(const Path& path, const ImageHeader& header) {
  Json json{{"file", path.string()},
            {"kind", "image"},
            {"format", header.format},
            {"type", header.type},
            {"grid", describe_grid(header.grid)}};
  if (!header.note.empty()) json["note"] = header.note;
  if (const auto labels = read_if_labels(path)) {
    json["kind"] = "labels";
    json["labels"] = describe_labels(*labels);
    return json;
  }
  json["values"] = describe_values(read_image(path));
  return json;
}

}  // namespace

Json describe_file(const Path& path) {
  if (has_transform_extension(path)) return describe_transform(path);
  const ImageHeader header = read_header(path);
  return header.components == 1 ? describe_image(path, header) : describe_transform(path);
}

}  // namespace aladdin::app
