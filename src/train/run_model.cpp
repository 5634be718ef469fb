#include "aladdin/train/run_model.h"

#include <fmt/format.h>

#include "aladdin/config/write.h"
#include "aladdin/method/registration.h"
#include "aladdin/method/tensor_file.h"

namespace aladdin {
namespace {

// Why the model cannot register others than the subjects of its cohort; empty: it can.
std::string why_cohort_only(const Config& config) {
  if (config.train.fits()) return fmt::format("it was built by '{}'", name_of(config.train.engine));
  if (config.network.flow != FlowKind::velocity)
    return "its network predicts displacements, not velocities";
  if (config.train.affine) return "its subjects were aligned affinely first";
  return "";
}

}  // namespace

bool has_registrar(const Config& config) {
  return config.network.flow == FlowKind::velocity && !config.train.fits();
}

Model model_of_run(const Config& config, const TrainingData& data, const Learner& learner,
                   const at::Tensor& seen, const at::Tensor& published, const at::Tensor& centre) {
  Model model;
  model.network = unet_options(config.network, data.dataset().grid().dims);
  model.passes.clear();
  model.squarings = config.network.squarings;
  model.notes["settings"] = to_toml(config);
  if (const std::string why = why_cohort_only(config); !why.empty()) model.notes[kCohortOnly] = why;
  set_geometry(model, data.dataset().working());
  model.atlas = Image(data.dataset().grid());
  model.atlas.values = values_of(published);
  learner.add_to(model);
  if (!has_registrar(config)) return model;
  if (centre.defined()) model.centre = values_of(centre);
  model.atlas.values = values_of(seen);
  return model;
}

}  // namespace aladdin
