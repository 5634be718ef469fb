#include "aladdin/train/refine_registration.h"

#include <ATen/Parallel.h>

#include "aladdin/config/read.h"
#include "aladdin/core/parallel.h"
#include "aladdin/ops/warp.h"
#include "aladdin/train/instance.h"

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

// As it is published: moved to the middle of its cohort.
at::Tensor published_atlas(const Model& model, const Flow& flow) {
  const at::Tensor atlas = tensor_of(model.atlas.values, 1, model.padded);
  if (model.centre.empty()) return atlas;
  const at::Tensor centre = tensor_of(model.centre, model.padded.dims, velocity_grid(model));
  return ops::warp(atlas, flow(centre, atlas.sizes()).to_atlas);
}

}  // namespace

std::vector<float> refine_registration(const Model& model, const std::vector<float>& prepared,
                                       const std::vector<float>& velocity, int iterations) {
  at::set_num_threads(threads());
  const Config config = settings_of(model);
  const InstanceOptimiser instance(config, model.padded.spacing);
  const at::Tensor atlas = published_atlas(model, Flow(config.network));
  Batch batch;
  batch.images = tensor_of(prepared, 1, model.padded);
  if (iterations == 0) iterations = config.optimise.iterations;
  const at::Tensor start = tensor_of(velocity, model.padded.dims, velocity_grid(model));
  const at::Tensor v =
      (model.passes.empty() ? instance.register_image(atlas, batch, iterations, 1)
                            : instance.refine_velocity(atlas, batch, start, iterations))
          .contiguous();
  return {v.data_ptr<float>(), v.data_ptr<float>() + v.numel()};
}

}  // namespace aladdin
