#include "aladdin/network/model.h"

#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

bool same_numbers(const Vec3& a, const Vec3& b) { return norm(a - b) <= 1e-6 * (1 + norm(a)); }

void validate_grid(const Grid& grid, const char* name) {
  constexpr std::int64_t kMostAlong = 100000;
  constexpr double kMostVoxels = 1 << 30;
  double voxels = 1;
  for (const auto size : grid.size) {
    if (size < 1 || size > kMostAlong)
      fail("the {} grid has {} voxels along an axis, expected 1 to {}", name, size, kMostAlong);
    voxels *= static_cast<double>(size);
  }
  if (voxels > kMostVoxels)
    fail("the {} grid has {:.3g} voxels, expected at most {:.3g}", name, voxels, kMostVoxels);
  if (grid.dims != 2 && grid.dims != 3) fail("the {} grid is {}-D", name, grid.dims);
  if (grid.dims == 2 && grid.size[2] != 1) fail("the {} grid is 2-D and has slices", name);
  grid.validate();
}

}  // namespace

void Model::validate_geometry() const {
  network.validate();
  intensity.validate();
  validate_grid(visible, "visible");
  validate_grid(padded, "padded");
  if (padded.dims != network.dims || visible.dims != network.dims)
    fail("the network is {}-D, its grids are {}-D and {}-D", network.dims, visible.dims,
         padded.dims);
  if (network.inputs != 2) fail("the network takes {} channels, expected 2", network.inputs);
  for (int axis = 0; axis < 3; ++axis)
    if (pad_before[axis] < 0 || pad_before[axis] + visible.size[axis] > padded.size[axis])
      fail("the visible grid does not lie within the padded one");
  const Vec3 corner =
      padded.to_point({static_cast<double>(pad_before[0]), static_cast<double>(pad_before[1]),
                       static_cast<double>(pad_before[2])});
  bool same = same_numbers(visible.origin, corner);
  for (int row = 0; row < 3; ++row)
    same = same && same_numbers(visible.index_to_point()[row], padded.index_to_point()[row]);
  if (!same) fail("the voxels of the visible grid are not those of the padded one");
  for (const double mm : content_centre)
    if (!std::isfinite(mm)) fail("the centre of the contents is not finite");
  if (squarings < 0 || squarings > 30) fail("{} squarings, expected 0 to 30", squarings);
  if (flow != FlowKind::velocity && passes.size() > 1)
    fail("{} passes, expected one: its registrations are displacements", passes.size());
  if (!passes.empty() && passes.back() != 1) fail("the last pass is not at full resolution (1)");
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const int r = passes[i];
    if (r < 1 || r > 64 || (r & (r - 1)) != 0 || (i > 0 && r > passes[i - 1]))
      fail("the passes {} are not powers of 2 up to 64 that descend to 1", fmt::join(passes, ", "));
  }
}

std::vector<UnetParameter> Model::described_parameters() const {
  return passes.empty() ? std::vector<UnetParameter>() : unet_parameters(network);
}

void Model::validate() const {
  validate_geometry();
  const auto expected = described_parameters();
  if (parameters.size() != expected.size())
    fail("the network has {} parameters, expected {}", parameters.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (static_cast<std::int64_t>(parameters[i].size()) != expected[i].values())
      fail("'{}' has {} values, expected {}", expected[i].name, parameters[i].size(),
           expected[i].values());
  if (atlas.values.size() != static_cast<std::size_t>(padded.voxels()))
    fail("the atlas has {} voxels, its grid has {}", atlas.values.size(), padded.voxels());
  if (!affine_mean.empty() && affine_mean.size() != atlas.values.size())
    fail("the mean of the alignment has {} voxels, its grid has {}", affine_mean.size(),
         padded.voxels());
  const Grid coarse = velocity_grid(*this);
  if (!centre.empty() && centre.size() != static_cast<std::size_t>(coarse.voxels() * coarse.dims))
    fail("the centre has {} values, expected {}", centre.size(), coarse.voxels() * coarse.dims);
  if (flow != FlowKind::velocity && !centre.empty())
    fail("it has a centre, but its registrations are displacements");
  const auto finite = [](const std::vector<float>& values) {
    for (const float value : values)
      if (!std::isfinite(value)) return false;
    return true;
  };
  bool all = finite(atlas.values) && finite(centre) && finite(affine_mean);
  for (const auto& parameter : parameters) all = all && finite(parameter);
  if (!all) fail("it has values that are not finite");
}

void set_geometry(Model& model, const WorkingGrid& working) {
  model.visible = working.visible;
  model.padded = working.padded;
  model.pad_before = working.pad_before;
  model.centred_content = working.centred;
  model.content_centre = working.content_centre;
}

Grid every(const Grid& grid, int step) {
  Grid out = grid;
  for (int axis = 0; axis < grid.dims; ++axis) {
    out.size[axis] = (grid.size[axis] + step - 1) / step;
    out.spacing[axis] *= step;
  }
  return out;
}

Grid velocity_grid(const Model& model) { return every(model.padded, model.network.velocity_scale); }

}  // namespace aladdin
