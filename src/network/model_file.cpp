#include <nlohmann/json.hpp>

#include "aladdin/config/choice.h"
#include "aladdin/core/error.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"
#include "aladdin/network/model.h"
#include "aladdin/network/safetensors.h"

namespace aladdin {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "aladdin model";
constexpr std::string_view kNote = "note.";

Json to_json(const Grid& grid) {
  return {{"dims", grid.dims},
          {"size", grid.size},
          {"spacing", grid.spacing},
          {"origin", grid.origin},
          {"direction", grid.direction}};
}

Grid parse_grid(const Json& json) {
  Grid grid;
  json.at("dims").get_to(grid.dims);
  json.at("size").get_to(grid.size);
  json.at("spacing").get_to(grid.spacing);
  json.at("origin").get_to(grid.origin);
  json.at("direction").get_to(grid.direction);
  return grid;
}

Json to_json(const UnetOptions& network) {
  return {{"dims", network.dims},
          {"inputs", network.inputs},
          {"width", network.width},
          {"depth", network.depth},
          {"velocity_scale", network.velocity_scale},
          {"published", network.published}};
}

UnetOptions parse_network(const Json& json) {
  UnetOptions network;
  json.at("dims").get_to(network.dims);
  json.at("inputs").get_to(network.inputs);
  json.at("width").get_to(network.width);
  json.at("depth").get_to(network.depth);
  json.at("velocity_scale").get_to(network.velocity_scale);
  json.at("published").get_to(network.published);
  return network;
}

FlowKind parse_flow(const std::string& name) {
  const auto kind = find_choice<FlowKind>(name);
  if (!kind) fail("its flow is '{}', expected {}", name, fmt::join(names_of<FlowKind>(), ", "));
  return *kind;
}

// Of the oldest program that understands it.
int version_of(const Model& model) {
  return model.flow == FlowKind::velocity && model.affine_mean.empty() ? 1 : kModelVersion;
}

// ([d,] h, w), with `first` in front unless it is 0.
std::vector<std::int64_t> shape_of(const Grid& grid, int first = 0) {
  std::vector<std::int64_t> shape;
  if (first > 0) shape.push_back(first);
  for (int axis = grid.dims - 1; axis >= 0; --axis) shape.push_back(grid.size[axis]);
  return shape;
}

void require_version(const Safetensors& file, const std::string& path) {
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != kFormat)
    fail("'{}' is a safetensors file, but not a model of aladdin", path);
  const std::string& text = file.text("version");
  const auto version = parse_integer(text);
  if (!version) fail("'{}' is a model of the version '{}', expected a number", path, text);
  if (*version < 1 || *version > kModelVersion)
    throw Error(fmt::format("'{}' is a model of version {}, this program reads versions 1 to {}",
                            path, *version, kModelVersion))
        .hint(*version > kModelVersion ? "use a newer aladdin" : "build the model again");
}

void parse_metadata(const Safetensors& file, Model& model) {
  const auto parsed = [&](const char* key) { return parse_json<Json>(file.text(key)); };
  model.network = parse_network(parsed("network"));
  parsed("passes").get_to(model.passes);
  if (file.metadata.contains("flow")) model.flow = parse_flow(file.text("flow"));
  parsed("squarings").get_to(model.squarings);
  model.visible = parse_grid(parsed("visible"));
  model.padded = parse_grid(parsed("padded"));
  parsed("pad_before").get_to(model.pad_before);
  parsed("centred_content").get_to(model.centred_content);
  parsed("content_centre").get_to(model.content_centre);
  model.intensity = parse_intensity_rule(file.text("intensity"));
  for (const auto& [key, value] : file.metadata)
    if (key.starts_with(kNote)) model.notes[key.substr(kNote.size())] = value;
}

}  // namespace

void write_model(const Path& path, const Model& model) {
  model.validate();
  Safetensors file;
  file.metadata = {{"format", kFormat},
                   {"version", std::to_string(version_of(model))},
                   {"network", to_json(model.network).dump()},
                   {"passes", Json(model.passes).dump()},
                   {"squarings", Json(model.squarings).dump()},
                   {"visible", to_json(model.visible).dump()},
                   {"padded", to_json(model.padded).dump()},
                   {"pad_before", Json(model.pad_before).dump()},
                   {"centred_content", Json(model.centred_content).dump()},
                   {"content_centre", Json(model.content_centre).dump()},
                   {"intensity", to_json(model.intensity)}};
  if (model.flow != FlowKind::velocity) file.metadata["flow"] = name_of(model.flow);
  for (const auto& [key, value] : model.notes) file.metadata[std::string(kNote) + key] = value;
  const auto described = model.described_parameters();
  for (std::size_t i = 0; i < described.size(); ++i)
    file.add(described[i].name, described[i].size, model.parameters[i].data());
  file.add("atlas", shape_of(model.padded), model.atlas.values.data());
  if (!model.centre.empty())
    file.add("centre", shape_of(velocity_grid(model), model.network.dims), model.centre.data());
  if (!model.affine_mean.empty())
    file.add("affine_mean", shape_of(model.padded), model.affine_mean.data());
  file.write(path);
}

Model read_model(const Path& path) {
  const Safetensors file(path);
  require_version(file, path.string());
  Model model;
  try {
    parse_metadata(file, model);
    model.validate_geometry();
    for (const auto& parameter : model.described_parameters())
      model.parameters.push_back(file.values<float>(parameter.name, parameter.size));
    model.atlas.grid = model.padded;
    model.atlas.values = file.values<float>("atlas", shape_of(model.padded));
    if (file.contains("centre"))
      model.centre =
          file.values<float>("centre", shape_of(velocity_grid(model), model.network.dims));
    if (file.contains("affine_mean"))
      model.affine_mean = file.values<float>("affine_mean", shape_of(model.padded));
    model.validate();
  } catch (const nlohmann::json::exception&) {
    fail("the metadata of '{}' are damaged", path.string());
  } catch (const Error& error) {
    throw Error(error.what()).within(fmt::format("the model '{}' is damaged", path.string()));
  }
  return model;
}

}  // namespace aladdin
