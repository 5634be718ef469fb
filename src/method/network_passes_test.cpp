#include "aladdin/method/network_passes.h"

#include <gtest/gtest.h>

#include "aladdin/method/atlas.h"
#include "aladdin/network/registrar.h"
#include "aladdin/network/test_model.h"

namespace aladdin {
namespace {

// Weights of full size, so that there is something to agree about.
Model model_of(int dims, int scale) {
  const UnetOptions options{dims, 2, 4, 2, scale, true};
  return testing::make_model(options, {18, 20, dims == 2 ? 1 : 13});
}

NetworkPasses registration_of(const Model& model, std::vector<int> passes) {
  NetworkConfig config;
  config.velocity_scale = model.network.velocity_scale;
  config.passes = std::move(passes);
  config.squarings = model.squarings;
  config.published = model.network.published;
  std::vector<at::Tensor> parameters;
  const auto described = unet_parameters(model.network);
  for (std::size_t i = 0; i < described.size(); ++i)
    parameters.push_back(at::tensor(model.parameters[i]).view(described[i].size));
  return {config, Unet(model.network, parameters)};
}

at::Tensor tensor_of(const std::vector<float>& values, int64_t channels, const Grid& grid) {
  std::vector<int64_t> sizes{1, channels, grid.size[1], grid.size[0]};
  if (grid.dims == 3) sizes.insert(sizes.begin() + 2, grid.size[2]);
  return at::tensor(values).view(sizes);
}

TEST(TrainRegistration, IsThatOfARegistrarWithoutTorch) {
  const at::NoGradGuard no_grad;
  for (const int dims : {2, 3})
    for (const int scale : {1, 2})
      for (const std::vector<int>& passes : {std::vector{1}, {4, 2, 1}, {2, 1, 1}})
        for (const bool centred : {false, true}) {
          Model model = model_of(dims, scale);
          model.passes = passes;
          const NetworkPasses torch = registration_of(model, passes);
          at::Tensor centre;
          if (centred) {
            at::manual_seed(2);
            const Grid grid = velocity_grid(model);
            centre = at::randn({dims * grid.voxels()});
            model.centre.assign(centre.data_ptr<float>(),
                                centre.data_ptr<float>() + centre.numel());
          }
          const Image image = testing::ball(model.padded, 1.5);
          at::Tensor found = torch.velocity(tensor_of(model.atlas.values, 1, model.padded),
                                            tensor_of(image.values, 1, model.padded), 1);
          if (centred) found = without(centre.view(found.sizes()), found);
          const at::Tensor expected =
              at::tensor(Registrar(model).register_prepared(image.values, {}, 0));
          ASSERT_EQ(found.numel(), expected.numel());
          EXPECT_GT(expected.abs().max().item<double>(), 0.05);
          EXPECT_LT((found.flatten() - expected).abs().max().item<double>(), 1e-4)
              << dims << "-D, scale " << scale << ", " << passes.size() << " passes";
        }
}

}  // namespace
}  // namespace aladdin
