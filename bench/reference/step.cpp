// One training step of `--preset reference`, to be held to the published formulas:
//
//   aladdin_reference_step write IN …      weights, an atlas and a batch of random smooth images
//   aladdin_reference_step compare IN OUT  runs our step on IN; OUT is what reference_step.py made of it
//   aladdin_reference_step rounding OUT SINGLE  what reference_step.py itself loses with --float
//
// compare prints one line: the relative error of each term, and of the gradients the largest error of a tensor,
// relative to that tensor's largest entry. Fails above 1e-4. In float some gradients are above it through rounding alone
// (kinks of the activations and of linear interpolation): `rounding` is the measure of that.
#include <torch/csrc/autograd/autograd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>

#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/rng.h"
#include "aladdin/method/energy.h"
#include "aladdin/method/network_passes.h"
#include "aladdin/network/safetensors.h"

namespace {

using namespace aladdin;

constexpr double kTolerance = 1e-4;

struct Options {
  std::vector<int64_t> size{32, 48, 32};  // d, h, w
  int64_t batch = 2;
  std::string similarity = "mse";
  std::uint64_t seed = 1;
  double flow = 1;  // of the first weights of the flow layer
};

// Blobs, a few voxels wide, values in [0, 1].
at::Tensor smooth_image(const std::vector<int64_t>& size, std::uint64_t seed,
                        std::uint64_t stream) {
  Rng rng(seed, stream);
  at::Tensor image = at::zeros(size, at::kDouble);
  const auto axis = [&](int a, double centre, double width) {
    std::vector<int64_t> shape(3, 1);
    shape[a] = size[a];
    return ((at::arange(size[a], at::kDouble) - centre) / width).square().view(shape);
  };
  for (int blob = 0; blob < 30; ++blob) {
    at::Tensor distance = at::zeros(size, at::kDouble);
    for (int a = 0; a < 3; ++a)
      distance = distance + axis(a, rng.uniform(0, double(size[a])), rng.uniform(2.5, 7));
    image = image + rng.uniform(0.2, 1) * (-0.5 * distance).exp();
  }
  return (image / image.max()).to(at::kFloat);
}

void add(Safetensors& file, const std::string& name, const at::Tensor& values) {
  const at::Tensor flat = values.detach().contiguous();
  file.add(name, flat.sizes().vec(), flat.data_ptr<float>());
}

at::Tensor read(const Safetensors& file, const std::string& name, at::ScalarType type) {
  const auto shape = file.entries().at(name).shape;
  return at::tensor(file.values<float>(name, shape), at::kFloat).view(shape).to(type);
}

Config config_for(const std::string& similarity) {
  Config config = preset("reference");
  apply_setting(config, "loss.similarity=" + similarity);
  if (config.loss.similarity == SimilarityKind::ncc) {  // the paper's best
    config.loss.sim = 0.3;
    config.loss.gamma2 = 0.15;
  }
  config.loss.gamma1 = config.loss.gamma2 / 2;  // off in the preset; here it is to be seen
  return config;
}

void write(const Path& path, const Options& o) {
  const Config config = config_for(o.similarity);
  const UnetOptions network = unet_options(config.network, 3);
  const Unet unet(network, o.seed);
  Safetensors file;
  const auto names = unet.parameter_names();
  Rng rng(o.seed, 99);
  for (std::size_t i = 0; i < names.size(); ++i) {
    at::Tensor values = unet.parameters()[i].detach().clone();
    if (names[i] == "up0.flow.weight") values = values * o.flow;
    // Biases start at zero, where a mistake would not show.
    if (values.dim() == 1)
      for (int64_t k = 0; k < values.numel(); ++k)
        values[k] = (names[i] == "up0.flow.bias" ? 0.02 : 0.1) * rng.normal();
    add(file, names[i], values);
  }
  std::vector<int64_t> shape{1, 1, o.size[0], o.size[1], o.size[2]};
  std::vector<at::Tensor> images;
  for (int64_t i = 0; i < o.batch; ++i)
    images.push_back(smooth_image(o.size, o.seed, 100 + i).view(shape));
  add(file, "images", at::cat(images));
  add(file, "atlas", smooth_image(o.size, o.seed, 1000).view(shape));
  file.metadata = {{"similarity", o.similarity},
                   {"flow", fmt::format("{:g}", o.flow)},
                   {"sim", fmt::format("{}", config.loss.sim)},
                   {"lambda", fmt::format("{}", config.loss.lambda)},
                   {"gamma1", fmt::format("{}", config.loss.gamma1)},
                   {"gamma2", fmt::format("{}", config.loss.gamma2)}};
  file.write(path);
}

struct Step {
  std::map<std::string, double> terms;
  std::map<std::string, at::Tensor> grads;
};

// In float with the kernels that train, in double with the plain references.
Step run_step(const Safetensors& in, at::ScalarType type) {
  const Config config = config_for(in.text("similarity"));
  const UnetOptions network = unet_options(config.network, 3);
  std::vector<at::Tensor> leaves;
  std::vector<std::string> names;
  for (const auto& parameter : unet_parameters(network)) {
    names.push_back(parameter.name);
    leaves.push_back(read(in, parameter.name, type).requires_grad_(true));
  }
  const NetworkPasses registration(config.network, Unet(network, leaves));
  const at::Tensor atlas = read(in, "atlas", type).requires_grad_(true);
  Batch batch;
  batch.images = read(in, "images", type);
  const at::Tensor velocity = registration.velocity(atlas, batch.images, 1);
  const Fields fields = Flow(config.network)(velocity, batch.images.sizes());
  const Terms terms =
      Energy(config.loss)(atlas, batch, fields, {0.7, 0.7, 3}, config.network.velocity_scale);
  names.emplace_back("atlas");
  leaves.push_back(atlas);
  const auto grads = torch::autograd::grad({terms.energy}, leaves);
  Step out;
  out.terms = {{"sim", terms.sim},
               {"lambda", terms.reg},
               {"gamma1", terms.atlas_pairs},
               {"gamma2", terms.image_pairs},
               {"energy", terms.energy.item<double>()}};
  for (std::size_t i = 0; i < names.size(); ++i) out.grads[names[i]] = grads[i];
  return out;
}

bool compare(const Path& in_path, const Path& out_path, bool in_double) {
  const Safetensors in(in_path), out(out_path);
  const Step ours = run_step(in, in_double ? at::kDouble : at::kFloat);
  double worst = 0;
  const auto size = in.entries().at("images").shape;
  std::string line =
      fmt::format("{:6} {:4} {}x{}x{}x{} flow {:<4}", in_double ? "double" : "float",
                  in.text("similarity"), size[0], size[2], size[3], size[4], in.text("flow"));
  for (const char* name : {"sim", "lambda", "gamma1", "gamma2", "energy"}) {
    const double theirs = out.values<double>(fmt::format("term.{}", name), {1})[0];
    const double error = std::abs(ours.terms.at(name) - theirs) / std::abs(theirs);
    line += fmt::format("  {} {:.6g} ({:.1e})", name, theirs, error);
    worst = std::max(worst, std::isfinite(error) ? error : INFINITY);
  }
  double gradient = 0;
  std::string where;
  for (const auto& [name, grad] : ours.grads) {
    const auto theirs = out.values<double>("grad." + name, grad.sizes().vec());
    const at::Tensor expected = at::tensor(theirs, at::kDouble).view(grad.sizes());
    const double error = (grad.to(at::kDouble) - expected).abs().max().item<double>() /
                         expected.abs().max().item<double>();
    if (std::getenv("ALADDIN_EVERY_GRADIENT"))
      fmt::print("  {:20} largest {:.3e}  error {:.1e}\n", name,
                 expected.abs().max().item<double>(), error);
    if (!(error <= gradient)) {
      gradient = error;
      where = name;
    }
  }
  worst = std::max(worst, std::isfinite(gradient) ? gradient : INFINITY);
  fmt::print("{}  gradients {:.1e} ({})  {}\n", line, gradient, where,
             worst <= kTolerance ? "ok" : "DIFFERS");
  return worst <= kTolerance;
}

void print_rounding(const Path& out_path, const Path& single_path) {
  const Safetensors out(out_path), single(single_path);
  double worst = 0;
  std::string where;
  for (const auto& [name, entry] : out.entries()) {
    if (name.rfind("grad.", 0) != 0) continue;
    const auto a = out.values<double>(name, entry.shape),
               b = single.values<double>(name, entry.shape);
    double error = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      error = std::max(error, std::abs(a[i] - b[i]));
      largest = std::max(largest, std::abs(a[i]));
    }
    if (error / largest <= worst) continue;
    worst = error / largest;
    where = name.substr(5);
  }
  fmt::print("torch  the script itself in float: gradients {:.1e} ({})\n", worst, where);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("One training step of --preset reference against the published formulas");
  app.require_subcommand(1);
  Options options;
  std::string in, out;
  CLI::App* writing = app.add_subcommand("write", "Write weights, an atlas and a batch");
  writing->add_option("IN", in)->required();
  writing->add_option("--size", options.size, "d,h,w, multiples of 16")
      ->delimiter(',')
      ->expected(3);
  writing->add_option("--batch", options.batch);
  writing->add_option("--similarity", options.similarity)->check(CLI::IsMember({"mse", "ncc"}));
  writing->add_option("--seed", options.seed);
  writing->add_option("--flow", options.flow, "times the first weights of the flow layer");
  CLI::App* comparing = app.add_subcommand("compare", "Run our step on IN and compare with OUT");
  comparing->add_option("IN", in)->required();
  comparing->add_option("OUT", out)->required();
  CLI::App* rounding = app.add_subcommand("rounding", "What the script itself loses in float");
  rounding->add_option("OUT", in)->required();
  rounding->add_option("SINGLE", out)->required();
  bool in_double = false;
  comparing->add_flag("--double", in_double, "our step in double");
  CLI11_PARSE(app, argc, argv);
  try {
    if (writing->parsed()) write(in, options);
    if (rounding->parsed()) print_rounding(in, out);
    if (comparing->parsed()) return compare(in, out, in_double) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
