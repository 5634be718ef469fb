// The training step of --preset paper, Adam included, as a process that is asked for it (worker.h). A program of its
// own: nothing else here needs Torch, which alone takes 150 MB.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <fmt/format.h>
#include <malloc.h>

#include <memory>

#include "aladdin/config/presets.h"
#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/method/adam.h"
#include "aladdin/method/energy.h"
#include "aladdin/method/network_passes.h"
#include "aladdin/network/safetensors.h"
#include "worker.h"

namespace {

using namespace aladdin;
using bench::Work;

at::Tensor tensor_of(const Safetensors& file, const std::string& name) {
  const std::vector<std::int64_t>& shape = file.entries().at(name).shape;
  return at::tensor(file.values<float>(name, shape), at::kFloat).view(shape);
}

Work training_step(const Safetensors& file) {
  const Config config = preset("paper");
  const UnetOptions options = unet_options(config.network, 3);
  std::vector<at::Tensor> weights;
  for (const UnetParameter& parameter : unet_parameters(options))
    weights.push_back(tensor_of(file, parameter.name).requires_grad_(true));
  Batch batch;
  batch.images = tensor_of(file, "images");
  const auto adam = std::make_shared<Adam>(weights, AdamOptions{});
  return [=, atlas = tensor_of(file, "atlas"), flow = Flow(config.network),
          energy = Energy(config.loss),
          registration = NetworkPasses(config.network, Unet(options, weights)),
          rate = config.train.rate](double& value) {
    const at::Tensor velocity = registration.velocity(atlas, batch.images, 1);
    const Terms terms = energy(atlas, batch, flow(velocity, batch.images.sizes()), {1, 1, 1}, 1);
    adam->step(torch::autograd::grad({terms.energy}, weights), rate);
    value = terms.energy.item<double>();
  };
}

}  // namespace

// aladdin_speed_step INPUTS THREADS
int main(int argc, char** argv) {
  try {
    if (argc != 3) fail_usage("usage: aladdin_speed_step INPUTS THREADS");
    set_threads(std::stoi(argv[2]));
    const Work work = training_step(Safetensors(argv[1]));
    malloc_trim(0);  // the file is let go of
    bench::serve(work);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
