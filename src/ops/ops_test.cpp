// The op table on awkward shapes: fast against reference against plain Torch, gradients against
// finite differences in double, the same bits for any number of threads.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/ops/exponential.h"
#include "aladdin/ops/op_table.h"
#include "aladdin/ops/similarity.h"
#include "aladdin/ops/warp.h"

namespace aladdin::ops {

void PrintTo(const Op& op, std::ostream* stream) { *stream << op.name; }

namespace {

using kernels::Shape;
using Inputs = Op::Inputs;

// Odd, one thick along each axis, longer than a block, not a multiple of any vector width, 2-D.
const std::vector<Shape> kShapes{
    {1, 5, 6, 7, 3}, {2, 3, 9, 4, 3},  {1, 4, 1, 8, 3},   {2, 4, 5, 1, 3},   {1, 1, 6, 9, 3},
    {1, 2, 2, 2, 3}, {2, 9, 8, 70, 3}, {3, 1, 11, 13, 2}, {1, 1, 3, 131, 2}, {2, 1, 7, 2, 2}};

std::string name_of(const Shape& s) {
  return fmt::format("{}x{}x{}x{}_{}d", s.n, s.d, s.h, s.w, s.dims);
}

Inputs as_leaves(const Inputs& inputs, at::ScalarType type) {
  Inputs leaves;
  for (const auto& input : inputs)
    leaves.push_back(input.to(type).detach().clone().requires_grad_(true));
  return leaves;
}

struct Results {
  at::Tensor value;
  std::vector<at::Tensor> grads;
};

// Value and gradients of sum(weights * op), with fixed weights that are all different.
Results run(const std::function<at::Tensor(const Inputs&)>& op, const Inputs& inputs,
            at::ScalarType type) {
  const Inputs leaves = as_leaves(inputs, type);
  const at::Tensor value = op(leaves);
  const at::Tensor weights = (at::arange(value.numel(), at::dtype(at::kDouble)) * 0.37)
                                 .sin()
                                 .add(1.1)
                                 .view(value.sizes())
                                 .to(type);
  (value * weights).sum().backward();
  Results results{value.detach(), {}};
  for (const auto& leaf : leaves) results.grads.push_back(leaf.grad().detach());
  return results;
}

void expect_close(const at::Tensor& a, const at::Tensor& b, double tolerance,
                  const std::string& what) {
  const at::Tensor x = a.to(at::kDouble), y = b.to(at::kDouble);
  const double scale = std::max(1e-6, y.abs().max().item<double>());
  EXPECT_LE((x - y).abs().max().item<double>(), tolerance * scale) << what;
}

void expect_close(const Results& a, const Results& b, double tolerance, const std::string& what) {
  expect_close(a.value, b.value, tolerance, what + " value");
  for (std::size_t i = 0; i < a.grads.size(); ++i)
    expect_close(a.grads[i], b.grads[i], tolerance, fmt::format("{} gradient {}", what, i));
}

class OpTable : public testing::TestWithParam<Op> {};
INSTANTIATE_TEST_SUITE_P(Ops, OpTable, testing::ValuesIn(op_table()),
                         [](const auto& op) { return op.param.name; });

TEST_P(OpTable, FastAgreesWithReference) {
  for (const Shape& shape : kShapes) {
    const Inputs inputs = GetParam().make_inputs(shape, 1);
    expect_close(run(GetParam().ours, inputs, at::kFloat),
                 run(GetParam().ours, inputs, at::kDouble), 2e-4, name_of(shape));
  }
}

TEST_P(OpTable, FastAgreesWithReferenceAcrossSlabs) {
  // Large enough to be cut: every kernel has more than one task here (kernels/slabs.h). Overall, not
  // voxel by voxel: float may round a position across a voxel, where the derivative jumps.
  const auto expect_near = [](const at::Tensor& fast, const at::Tensor& exact) {
    EXPECT_LE((fast.to(at::kDouble) - exact).norm().item<double>(),
              2e-3 * exact.norm().item<double>());
  };
  for (const Shape& shape : {Shape{1, 60, 80, 90, 3}, Shape{1, 1, 510, 800, 2}}) {
    const Inputs inputs = GetParam().make_inputs(shape, 6);
    const Results fast = run(GetParam().ours, inputs, at::kFloat);
    const Results exact = run(GetParam().ours, inputs, at::kDouble);
    expect_near(fast.value, exact.value);
    for (std::size_t i = 0; i < fast.grads.size(); ++i) expect_near(fast.grads[i], exact.grads[i]);
  }
}

TEST_P(OpTable, PlainTorchAgreesWithReference) {
  for (const Shape& shape : kShapes) {
    // Torch's zero rule cannot be expressed on an axis of one voxel (ops/plain.h).
    if ((GetParam().name == "warp_zero" || GetParam().name == "exponential_zero") &&
        (shape.w == 1 || shape.h == 1 || (shape.dims == 3 && shape.d == 1)))
      continue;
    const Inputs inputs = GetParam().make_inputs(shape, 2);
    expect_close(run(GetParam().plain, inputs, at::kDouble),
                 run(GetParam().ours, inputs, at::kDouble), 1e-9, name_of(shape));
  }
}

TEST_P(OpTable, GradientsAgreeWithFiniteDifferences) {
  for (const Shape& shape : {Shape{1, 4, 5, 6, 3}, Shape{2, 1, 6, 5, 2}}) {
    const Inputs inputs = GetParam().make_inputs(shape, 3);
    const Results exact = run(GetParam().ours, inputs, at::kDouble);
    const at::Tensor weights =
        (at::arange(exact.value.numel(), at::dtype(at::kDouble)) * 0.37).sin().add(1.1);
    const auto objective = [&](const Inputs& at_inputs) {
      return (GetParam().ours(at_inputs).flatten() * weights).sum().item<double>();
    };
    constexpr double kStep = 1e-6;
    for (std::size_t which = 0; which < inputs.size(); ++which) {
      const double scale = exact.grads[which].abs().max().item<double>();
      for (int64_t i = 0; i < inputs[which].numel(); i += 7) {
        Inputs moved = inputs;
        moved[which] = inputs[which].clone();
        double& value = moved[which].data_ptr<double>()[i];
        const double centre = value;
        value = centre + kStep;
        const double above = objective(moved);
        value = centre - kStep;
        const double below = objective(moved);
        EXPECT_NEAR((above - below) / (2 * kStep), exact.grads[which].flatten()[i].item<double>(),
                    2e-5 * scale)
            << name_of(shape) << " input " << which << " element " << i;
      }
    }
  }
}

// Torch's device without values: forward and backward stay there, as they must on a GPU, and have the shapes of the CPU.
// Skipped where an operation of Torch itself does not know that device; 1.13 has no grid_sampler_3d for it.
TEST_P(OpTable, NothingOfOtherDevicesEndsOnTheCpu) {
  for (const Shape& shape : {Shape{2, 4, 5, 6, 3}, Shape{2, 1, 6, 5, 2}}) {
    const Inputs inputs = GetParam().make_inputs(shape, 3);
    const at::Tensor expected = GetParam().ours(inputs);
    Inputs leaves;
    for (const auto& input : inputs)
      leaves.push_back(
          at::empty(input.sizes(), at::dtype(at::kFloat).device(at::kMeta)).requires_grad_(true));
    at::Tensor value;
    try {
      value = GetParam().ours(leaves);
      value.sum().backward();
    } catch (const c10::Error& error) {
      const std::string reason = error.what_without_backtrace();
      if (reason.find("'Meta' backend") == std::string::npos &&
          reason.find("not implemented") == std::string::npos)
        throw;
      GTEST_SKIP() << reason.substr(0, 80);
    }
    EXPECT_TRUE(value.is_meta());
    EXPECT_EQ(value.sizes(), expected.sizes());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      ASSERT_TRUE(leaves[i].grad().defined()) << i;
      EXPECT_TRUE(leaves[i].grad().is_meta()) << i;
      EXPECT_EQ(leaves[i].grad().sizes(), inputs[i].sizes()) << i;
    }
  }
}

TEST_P(OpTable, SameBitsForAnyNumberOfThreads) {
  for (const Shape& shape : {Shape{1, 60, 80, 90, 3}, Shape{1, 1, 510, 800, 2}}) {
    const Inputs inputs = GetParam().make_inputs(shape, 4);
    set_threads(1);
    const Results one = run(GetParam().ours, inputs, at::kFloat);
    for (const int count : {2, 3}) {
      set_threads(count);
      const Results several = run(GetParam().ours, inputs, at::kFloat);
      EXPECT_TRUE(at::equal(one.value, several.value)) << count;
      for (std::size_t i = 0; i < one.grads.size(); ++i)
        EXPECT_TRUE(at::equal(one.grads[i], several.grads[i])) << count << " gradient " << i;
    }
  }
  set_threads(0);
}

TEST_P(OpTable, OnlyTheGradientsThatAreAskedForAreComputed) {
  const Inputs inputs = GetParam().make_inputs({1, 4, 5, 6, 3}, 5);
  const Results all = run(GetParam().ours, inputs, at::kFloat);
  for (std::size_t which = 0; which < inputs.size(); ++which) {
    Inputs leaves;
    for (const auto& input : inputs) leaves.push_back(input.to(at::kFloat));
    leaves[which] = leaves[which].detach().clone().requires_grad_(true);
    const at::Tensor value = GetParam().ours(leaves);
    const at::Tensor weights = (at::arange(value.numel(), at::dtype(at::kDouble)) * 0.37)
                                   .sin()
                                   .add(1.1)
                                   .view(value.sizes())
                                   .to(at::kFloat);
    (value * weights).sum().backward();
    expect_close(leaves[which].grad(), all.grads[which], 1e-5, fmt::format("input {}", which));
  }
}

TEST(Ops, NonContiguousInputsAreUnderstood) {
  const at::Tensor a = at::rand({1, 1, 6, 7, 8}).transpose(2, 4), u = at::rand({1, 3, 8, 7, 6});
  EXPECT_TRUE(at::equal(warp(a, u), warp(a.contiguous(), u)));
}

TEST(Ops, ShapesThatDoNotFitAreRefused) {
  EXPECT_THROW(warp(at::rand({1, 1, 4, 4, 4}), at::rand({1, 3, 4, 4, 5})), Error);
  EXPECT_THROW(warp(at::rand({1, 1, 4, 4}), at::rand({1, 3, 4, 4})), Error);
  EXPECT_THROW(mse(at::rand({1, 2, 4, 4}), at::rand({1, 2, 4, 4})), Error);
  EXPECT_THROW(lncc(at::rand({1, 1, 4, 4}), at::rand({1, 1, 4, 4}), 4), Error);
  EXPECT_THROW(ops::exponential(at::zeros({1, 3, 4, 4, 4}, at::kInt)), Error);
}

}  // namespace
}  // namespace aladdin::ops
