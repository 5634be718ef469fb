#include "worker.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>
#include <numeric>

#include "aladdin/core/error.h"
#include "aladdin/core/memory.h"
#include "aladdin/core/rng.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/warp.h"
#include "aladdin/network/safetensors.h"
#include "aladdin/network/unet_cost.h"
#include "aladdin/network/unet_inference.h"

namespace aladdin::bench {
namespace {

// Values in [0, 1] that vary over some ten voxels, another for every stream.
std::vector<float> smooth_volume(const Size& size, std::uint64_t stream) {
  Rng rng(1, stream);
  std::array<double, 6> k{};
  for (double& value : k) value = rng.uniform();
  std::vector<float> out;
  for (std::int64_t z = 0; z < size[0]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[2]; ++x)
        out.push_back(
            static_cast<float>(0.5 + 0.5 * std::sin(0.25 * double(x) + 6 * k[0]) *
                                         std::sin((0.2 + 0.1 * k[1]) * double(y) + 6 * k[2]) *
                                         std::sin((0.2 + 0.1 * k[3]) * double(z) + 6 * k[4])));
  return out;
}

Work registration(const Safetensors& file) {
  const UnetOptions options;  // the paper's
  std::vector<std::vector<float>> weights;
  for (const UnetParameter& parameter : unet_parameters(options))
    weights.push_back(file.values<float>(parameter.name, parameter.size));
  const auto shape = file.entries().at("atlas").shape;
  const kernels::Shape s{1, shape[2], shape[3], shape[4], 3};
  std::vector<float> input = file.values<float>("atlas", shape);
  const auto images = file.values<float>("images", file.entries().at("images").shape);
  input.insert(input.end(), images.begin(), images.begin() + s.voxels());
  const auto network = std::make_shared<UnetInference>(options, std::move(weights));
  const auto fields = std::make_shared<std::array<std::vector<float>, 3>>();
  for (std::vector<float>& field : *fields) field.resize(3 * s.voxels());
  return [=](double& value) {
    auto& [v, u, moved] = *fields;
    network->velocity(input.data(), {1, 2, s.d, s.h, s.w}, v.data());
    kernels::exponential(v.data(), u.data(), s, kernels::kDefaultSquarings);
    kernels::warp(input.data() + s.voxels(), u.data(), moved.data(), s, 1, kernels::Border::clamp);
    value = std::accumulate(moved.begin(), moved.begin() + s.voxels(), 0.0) / double(s.voxels());
  };
}

}  // namespace

void write_inputs(const Path& path, const Size& size, int batch) {
  const UnetOptions options;  // the paper's
  const auto parameters = unet_parameters(options);
  auto values = initial_parameters(options, 1);
  for (float& value : values[values.size() - 2]) value *= 200.0F;  // motion of about a voxel
  Safetensors file;
  for (std::size_t i = 0; i < values.size(); ++i)
    file.add(parameters[i].name, parameters[i].size, values[i].data());
  file.add("atlas", {1, 1, size[0], size[1], size[2]}, smooth_volume(size, 100).data());
  std::vector<float> images;
  for (int i = 0; i < batch; ++i) {
    const auto image = smooth_volume(size, 101 + i);
    images.insert(images.end(), image.begin(), image.end());
  }
  file.add("images", {batch, 1, size[0], size[1], size[2]}, images.data());
  file.write(path);
}

Work work_of(const std::string& kind, const Path& inputs) {
  if (kind == "peak") return [](double& value) { value = measured_peak(); };
  if (kind == "register") return registration(Safetensors(inputs));
  fail_usage("there is no work '{}'", kind);
}

void serve(const Work& work) {
  double value = 0;
  const auto answer = [&](const std::string& command) -> double {
    if (command == "value") return value;
    if (command == "cpu") return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    if (command == "peak") return static_cast<double>(peak_memory());
    if (command != "run") fail_usage("there is no command '{}'", command);
    const auto start = std::chrono::steady_clock::now();
    work(value);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::cout << "ready" << std::endl;
  for (std::string command; std::getline(std::cin, command);)
    std::cout << fmt::format("{}", answer(command)) << std::endl;
}

}  // namespace aladdin::bench
