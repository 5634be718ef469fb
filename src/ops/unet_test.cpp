#include "aladdin/ops/unet.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/network/unet_inference.h"

namespace aladdin {
namespace {

struct Case {
  UnetOptions options;
  std::vector<int64_t> input;
};

const std::vector<Case> kCases{
    {{3, 2, 16, 4, 1}, {2, 2, 16, 16, 16}},     // the paper's
    {{3, 2, 8, 4, 2}, {1, 2, 16, 32, 16}},      // half-resolution velocity, one item
    {{3, 2, 8, 3, 1}, {1, 2, 13, 17, 9}},       // any size
    {{3, 1, 4, 2, 2}, {1, 1, 5, 6, 7}},         // narrow, shallow
    {{2, 2, 16, 4, 1}, {3, 2, 48, 33}},         // 2-D
    {{3, 2, 4, 3, 1, true}, {1, 2, 8, 8, 16}},  // the published code's sums
};

at::Tensor noise(at::IntArrayRef size) { return at::rand(size); }

struct Results {
  at::Tensor value, grad_input;
  std::vector<at::Tensor> grads;
};

Results run(const Unet& net, const at::Tensor& input, bool plain) {
  const at::Tensor leaf = input.detach().clone().requires_grad_(true);
  for (const auto& parameter : net.parameters()) parameter.mutable_grad() = at::Tensor();
  const at::Tensor value = plain ? net.velocity_plain(leaf) : net.velocity(leaf);
  const at::Tensor weights = (at::arange(value.numel()) * 0.1).sin().view(value.sizes());
  (value * weights).sum().backward();
  Results results{value.detach(), leaf.grad().clone(), {}};
  for (const auto& parameter : net.parameters()) results.grads.push_back(parameter.grad().clone());
  return results;
}

void expect_close(const at::Tensor& a, const at::Tensor& b, const std::string& what) {
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  EXPECT_LE((a - b).abs().max().item<double>(), 1e-4 * std::max(1e-7, b.abs().max().item<double>()))
      << what;
}

TEST(Unet, OneDnnAgreesWithPlainTorchForwardAndBackward) {
  at::manual_seed(1);
  for (const Case& c : kCases) {
    const Unet net(c.options, 5);
    const at::Tensor input = noise(c.input);
    const Results fast = run(net, input, false), plain = run(net, input, true);
    expect_close(fast.value, plain.value, "value");
    expect_close(fast.grad_input, plain.grad_input, "input");
    for (std::size_t i = 0; i < fast.grads.size(); ++i)
      expect_close(fast.grads[i], plain.grads[i], net.parameter_names()[i]);
  }
}

TEST(Unet, SameBitsForAnyNumberOfThreads) {
  at::manual_seed(2);
  std::vector<Case> cases = kCases;
  cases.push_back({{3, 2, 16, 3, 1}, {2, 2, 24, 32, 24}});  // the sums are cut into slabs
  cases.push_back({{2, 2, 16, 3, 2}, {2, 2, 128, 96}});
  for (const Case& c : cases) {
    const Unet net(c.options, 5);
    const at::Tensor input = noise(c.input);
    set_threads(1);
    const Results one = run(net, input, false);
    for (const int count : {2, 3, 8}) {
      set_threads(count);
      const Results several = run(net, input, false);
      EXPECT_TRUE(at::equal(one.value, several.value)) << count;
      EXPECT_TRUE(at::equal(one.grad_input, several.grad_input)) << count;
      for (std::size_t i = 0; i < one.grads.size(); ++i)
        EXPECT_TRUE(at::equal(one.grads[i], several.grads[i]))
            << count << " " << net.parameter_names()[i];
    }
  }
  set_threads(0);
}

TEST(Unet, InferenceGivesTheSameBitsAsTraining) {
  const Unet net({}, 6);
  const at::Tensor input = noise({1, 2, 16, 16, 32});
  const at::Tensor training = net.velocity(input).detach();
  const at::NoGradGuard inference;
  EXPECT_TRUE(at::equal(training, net.velocity(input)));
}

std::vector<std::vector<float>> values_of(const Unet& net) {
  std::vector<std::vector<float>> values;
  for (const auto& parameter : net.parameters())
    values.emplace_back(parameter.data_ptr<float>(),
                        parameter.data_ptr<float>() + parameter.numel());
  return values;
}

TEST(Unet, InferenceWithoutTorchGivesTheSameBits) {
  const at::NoGradGuard inference;
  for (const Case& c : kCases) {
    const Unet net(c.options, 9);
    UnetInference plain(c.options, values_of(net));
    for (int again = 0; again < 2; ++again) {
      const at::Tensor input = noise(c.input), expected = net.velocity(input).contiguous();
      at::Tensor out = at::empty_like(expected);
      plain.velocity(input.data_ptr<float>(), c.input, out.data_ptr<float>());
      EXPECT_TRUE(at::equal(out, expected));
    }
  }
}

TEST(Unet, ThePublishedSumsAndFirstWeightsDiffer) {
  const at::NoGradGuard inference;
  const UnetOptions ours{3, 2, 8, 3, 1, false}, published{3, 2, 8, 3, 1, true};
  const Unet a(ours, 3), b(published, 3), same_weights(published, a.parameters());
  EXPECT_TRUE(at::equal(a.parameters()[0], b.parameters()[0]));
  const auto flow = a.parameters().size() - 2;
  EXPECT_TRUE(at::allclose(1000 * a.parameters()[flow], b.parameters()[flow]));
  const at::Tensor input = noise({1, 2, 8, 8, 8});
  EXPECT_FALSE(at::allclose(a.velocity(input), same_weights.velocity(input), 1e-3, 0));
}

TEST(Unet, StartsNearTheIdentityAndTheSeedDecides) {
  const at::Tensor input = noise({1, 2, 16, 16, 16});
  const Unet a({}, 7), b({}, 7), c({}, 8);
  EXPECT_LT(a.velocity(input).abs().max().item<double>(), 0.02);
  EXPECT_GT(a.velocity(input).abs().max().item<double>(), 0.0);
  EXPECT_TRUE(at::equal(a.velocity(input), b.velocity(input)));
  EXPECT_FALSE(at::equal(a.velocity(input), c.velocity(input)));
}

TEST(Unet, ThePapersNetworkHasItsLayers) {
  const auto layers = unet_layers({});
  ASSERT_EQ(layers.size(), 23u);
  EXPECT_EQ(layers.front().in, 2);
  EXPECT_EQ(layers.back().out, 3);
  const auto find = [&](const std::string& name) {
    for (const auto& layer : layers)
      if (layer.name == name) return std::pair(layer.in, layer.out);
    return std::pair(0, 0);
  };
  EXPECT_EQ(find("up3.up"), std::pair(256, 128));
  EXPECT_EQ(find("up3.0"), std::pair(256, 128));
  EXPECT_EQ(find("up2.0"), std::pair(128, 32));
  EXPECT_EQ(find("up1.up"), std::pair(32, 32));
  EXPECT_EQ(find("up1.0"), std::pair(64, 16));
}

TEST(Unet, WrongOptionsAndWeightsAreRefused) {
  EXPECT_THROW(Unet({4, 2, 16, 4, 1}, 1), Error);
  EXPECT_THROW(Unet({3, 2, 16, 4, 3}, 1), Error);
  auto parameters = Unet({}, 1).parameters();
  parameters[4] = at::zeros({1});
  EXPECT_THROW(Unet({}, parameters), Error);
}

}  // namespace
}  // namespace aladdin
