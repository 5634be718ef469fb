#include "aladdin/train/refine_registration.h"

#include "aladdin/config/read.h"
#include "aladdin/method/instance.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/network/registrar.h"

namespace aladdin {
namespace {

at::Tensor tensor_of(const std::vector<float>& values, int64_t channels, const Grid& grid) {
  std::vector<int64_t> sizes{1, channels};
  for (int axis = grid.dims - 1; axis >= 0; --axis) sizes.push_back(grid.size[axis]);
  return at::tensor(values).view(sizes);
}

Config settings_of(const Model& model) {
  Config config;
  const auto settings = model.notes.find("settings");
  if (settings != model.notes.end()) apply_toml(config, settings->second, "the model's settings");
  config.network.velocity_scale = model.network.velocity_scale;
  config.network.squarings = model.squarings;
  config.network.published = model.network.published;
  return config;
}

}  // namespace

std::vector<float> refine_registration(const Model& model, const std::vector<float>& prepared,
                                       const std::vector<float>& velocity, int iterations) {
  const Config config = settings_of(model);
  const InstanceOptimiser instance(config, model.padded.spacing);
  const at::Tensor atlas = tensor_of(published_atlas(model), 1, model.padded);
  Batch batch;
  batch.images = tensor_of(prepared, 1, model.padded);
  if (iterations == 0) iterations = config.optimise.iterations;
  const at::Tensor start = tensor_of(velocity, model.padded.dims, velocity_grid(model));
  const at::Tensor v = model.passes.empty()
                           ? instance.register_image(atlas, batch, iterations, 1)
                           : instance.refine_velocity(atlas, batch, start, iterations);
  return values_of(v);
}

}  // namespace aladdin
