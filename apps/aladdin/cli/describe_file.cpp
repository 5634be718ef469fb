#include "describe_file.h"

#include <algorithm>
#include <cmath>

#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/network/model.h"
#include "aladdin/transform/jacobian.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::app {
namespace {

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
  return {{"file", path.string()},
          {"kind", "transform"},
          {"steps", describe_steps(read_transform(path))}};
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

Json describe_volumes(const Path& path, const VolumesHeader& header) {
  Json json{{"file", path.string()},
            {"kind", "volumes"},
            {"format", header.each.format},
            {"type", header.each.type},
            {"grid", describe_grid(header.each.grid)},
            {"volumes", header.count}};
  if (!header.each.note.empty()) json["note"] = header.each.note;
  Json values = Json::array();
  for (const Image& volume : read_volumes(path)) values.push_back(describe_values(volume));
  json["values"] = values;
  return json;
}

Json describe_model(const Path& path) {
  const Model model = read_model(path);
  std::size_t parameters = 0;
  for (const auto& values : model.parameters) parameters += values.size();
  Json json{{"file", path.string()},
            {"kind", "model"},
            {"format", "aladdin model"},
            {"version", model.flow == FlowKind::velocity && model.affine_mean.empty() ? 1 : 2},
            {"dims", model.visible.dims},
            {"grid", describe_grid(model.visible)},
            {"padded_size", first_entries(model.padded.size, model.padded.dims)}};
  if (model.flow != FlowKind::velocity) json["flow"] = name_of(model.flow);
  if (!model.affine_mean.empty()) json["affine"] = true;
  if (!model.passes.empty())
    json["network"] = {{"width", model.network.width},
                       {"depth", model.network.depth},
                       {"passes", model.passes},
                       {"velocity_scale", model.network.velocity_scale},
                       {"parameters", parameters}};
  return json;
}

// MRtrix3's deformations; any other .mif is an image.
bool is_field_of_volumes(const Path& path) {
  if (!full_extension(path).starts_with(".mif")) return false;
  const auto volumes = read_volumes_header(path);
  return volumes && volumes->count == 3;
}

}  // namespace

Json describe_steps(const Chain& chain) {
  Json steps = Json::array();
  for (const auto& transform : chain) {
    if (const auto* affine = std::get_if<Affine>(&transform)) {
      steps.push_back(describe_affine(*affine));
    } else if (const auto* field = std::get_if<Displacement>(&transform)) {
      steps.push_back(describe_displacement(*field));
    } else {
      Json step = describe_displacement(std::get<InverseDisplacement>(transform).forward);
      step["kind"] = "inverse displacement";
      steps.push_back(step);
    }
  }
  return steps;
}

Json describe_file(const Path& path) {
  if (has_transform_extension(path) || is_field_of_volumes(path)) return describe_transform(path);
  if (full_extension(path) == ".safetensors") return describe_model(path);
  if (const auto volumes = read_volumes_header(path)) return describe_volumes(path, *volumes);
  const ImageHeader header = read_header(path);
  if (header.components == 1) return describe_image(path, header);
  Json json = describe_transform(path);
  if (header.vectors != VectorKind::displacements) json["stored_as"] = name_of(header.vectors);
  if (!header.note.empty()) json["note"] = header.note;
  return json;
}

}  // namespace aladdin::app
