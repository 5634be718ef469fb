#include "aladdin/train/run_model.h"

#include "aladdin/config/write.h"
#include "aladdin/method/network_passes.h"
#include "aladdin/method/tensor_file.h"

namespace aladdin {

Model model_of_run(const Config& config, const TrainingData& data, const Learner& learner,
                   const at::Tensor& atlas, const at::Tensor& centre) {
  Model model;
  model.network = unet_options(config.network, data.dataset().grid().dims);
  model.passes.clear();
  model.flow = config.network.flow;
  model.squarings = config.network.squarings;
  model.notes["settings"] = to_toml(config);
  set_geometry(model, data.dataset().working());
  learner.add_to(model);
  if (centre.defined()) model.centre = values_of(centre);
  model.atlas = Image(data.dataset().grid());
  model.atlas.values = values_of(atlas);
  model.affine_mean = data.affine_mean();
  return model;
}

bool has_velocities(const Config& config) {
  return config.network.flow == FlowKind::velocity && !config.train.fits();
}

}  // namespace aladdin
