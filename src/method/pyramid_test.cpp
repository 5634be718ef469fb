#include "aladdin/method/pyramid.h"

#include <gtest/gtest.h>

#include "aladdin/kernels/pyramid.h"
#include "aladdin/ops/tensor.h"

namespace aladdin {
namespace {

const std::vector<std::vector<int64_t>> kSizes{{2, 1, 9, 12},     // 2-D
                                               {1, 1, 1, 7},      // one thick
                                               {2, 1, 5, 8, 11},  // odd and even
                                               {1, 1, 1, 2, 3}};

TEST(Pyramid, ReduceIsThatOfTheKernels) {
  for (auto sizes : kSizes) {
    sizes[1] = 3;
    const at::Tensor in = at::randn(sizes);
    const kernels::Shape fine = ops::shape_of(in), half = kernels::half(fine);
    std::vector<float> out(half.n * 3 * half.voxels());
    kernels::reference::reduce(in.data_ptr<float>(), out.data(), fine, 3);
    const at::Tensor found = reduce(in, 2);
    ASSERT_EQ(found.numel(), int64_t(out.size()));
    EXPECT_LT((found.flatten() - at::tensor(out)).abs().max().item<double>(), 1e-6);
    EXPECT_TRUE(reduce(in, 4).equal(reduce(found, 2)));
    EXPECT_TRUE(reduce(in, 1).equal(in));
  }
}

TEST(Pyramid, RefineIsThatOfTheKernels) {
  for (auto sizes : kSizes) {
    sizes[1] = int64_t(sizes.size()) - 2;
    const at::Tensor like = at::empty(sizes);
    const kernels::Shape fine = ops::shape_of(like);
    const at::Tensor coarse = at::randn(reduce(like, 2).sizes());
    std::vector<float> out(like.numel());
    kernels::reference::refine(coarse.data_ptr<float>(), out.data(), fine);
    const at::Tensor found = refine(coarse, sizes);
    ASSERT_EQ(found.sizes(), like.sizes());
    EXPECT_LT((found.flatten() - at::tensor(out)).abs().max().item<double>(), 1e-6);
  }
}

TEST(Pyramid, RefineHasTheGradientOfPlainTorch) {
  for (auto sizes : kSizes) {
    sizes[1] = int64_t(sizes.size()) - 2;
    const at::Tensor coarse = at::randn(reduce(at::empty(sizes), 2).sizes());
    const at::Tensor fast = coarse.clone().requires_grad_(true);
    const at::Tensor plain = coarse.to(at::kDouble).requires_grad_(true);  // no kernel in double
    const at::Tensor weight = at::randn(sizes, at::kDouble);
    (refine(fast, sizes) * weight).sum().backward();
    (refine(plain, sizes) * weight).sum().backward();
    EXPECT_LT((fast.grad() - plain.grad()).abs().max().item<double>(), 1e-5);
  }
}

TEST(Pyramid, AnImageWithAGradientKeepsIt) {
  const at::Tensor image = at::randn({1, 1, 6, 9}).requires_grad_(true);
  reduce(image, 2).sum().backward();
  EXPECT_TRUE(image.grad().defined());
}

TEST(Pyramid, AFieldOfACoarseGridMeansTheSameOnAFinerOne) {
  const at::Tensor coarse = at::full({1, 2, 3, 4}, 0.5);  // of 11 x 13 voxels, on the grid 4
  const at::Tensor fine = refine(coarse, 4, 1, {1, 1, 11, 13});
  EXPECT_EQ(fine.size(2), 11);
  EXPECT_EQ(fine.size(3), 13);
  EXPECT_LT((fine - 2.0).abs().max().item<double>(), 1e-6);
  EXPECT_TRUE(refine(coarse, 4, 4, {1, 1, 11, 13}).equal(coarse));
}

}  // namespace
}  // namespace aladdin
