#include "aladdin/method/instance.h"

#include <gtest/gtest.h>

#include "aladdin/evaluate/folds.h"
#include "aladdin/method/smooth_descent.h"

namespace aladdin {
namespace {

// A soft ball on a grid of these sizes.
at::Tensor ball(at::IntArrayRef sizes, double shift) {
  at::Tensor squares = at::zeros(sizes);
  for (std::size_t d = 2; d < sizes.size(); ++d) {
    std::vector<int64_t> shape(sizes.size(), 1);
    shape[d] = sizes[d];
    const double middle = 0.5 * double(sizes[d] - 1) + shift;
    squares = squares + (at::arange(sizes[d], at::kFloat) - middle).square().view(shape);
  }
  return at::sigmoid(6 - squares.sqrt());
}

struct Problem {
  explicit Problem(int dims) {
    std::vector<int64_t> sizes{1, 1, 24, 28};
    if (dims == 3) sizes.push_back(20);
    atlas = ball(sizes, 0);
    batch.images = ball(sizes, 1.7);
    config.loss.similarity = SimilarityKind::mse;
    config.loss.lambda = 1e-3;
    config.train.pyramid = {2, 1};
  }
  double sim(const at::Tensor& v) const {
    return Energy(config.loss)(atlas, batch, Flow(config.network)(v, atlas.sizes()), spacing, 2)
        .sim;
  }
  at::Tensor zero() const { return at::zeros(Flow(config.network).velocity_sizes(atlas.sizes())); }

  Config config;
  std::array<double, 3> spacing{1, 1, 1};
  at::Tensor atlas;
  Batch batch;
};

TEST(Instance, FindsAShiftFromTheIdentity) {
  for (const int dims : {2, 3}) {
    const Problem p(dims);
    const InstanceOptimiser instance(p.config, p.spacing);
    const at::Tensor v = instance.register_image(p.atlas, p.batch, 40, 1);
    EXPECT_EQ(v.sizes(), p.zero().sizes());
    EXPECT_LT(p.sim(v), 0.05 * p.sim(p.zero())) << dims;
    const at::Tensor u = Flow(p.config.network)(v, p.atlas.sizes()).to_subject.contiguous();
    EXPECT_EQ(evaluate::count_folds(u.data_ptr<float>(), ops::shape_of(u)).not_positive, 0);
    EXPECT_EQ(instance.register_image(p.atlas, p.batch, 2, 2).size(2), 6) << "on the coarse grid";
  }
}

TEST(Instance, ARefinementNeverMatchesWorse) {
  Problem p(2);
  const InstanceOptimiser plain(p.config, p.spacing);
  const at::Tensor start = plain.register_image(p.atlas, p.batch, 20, 1);
  const double before = p.sim(start);
  EXPECT_LT(p.sim(plain.refine_velocity(p.atlas, p.batch, start, 20)), before);
  EXPECT_TRUE(plain.refine_velocity(p.atlas, p.batch, start, 0).equal(start));
  // Where only smoothness counts, the energy falls as the match gets worse: that is not taken.
  p.config.loss.lambda = 1e4;
  const InstanceOptimiser stiff(p.config, p.spacing);
  EXPECT_LE(p.sim(stiff.refine_velocity(p.atlas, p.batch, start, 20)), before);
  // A rate that tears the image apart gives nothing that folds.
  p.config.loss.lambda = 0;
  p.config.optimise.rate = 5;
  p.config.optimise.sigma = 0;
  const at::Tensor wild =
      InstanceOptimiser(p.config, p.spacing).refine_velocity(p.atlas, p.batch, p.zero(), 20);
  const Fields f = Flow(p.config.network)(wild, p.atlas.sizes());
  for (const at::Tensor& field : {f.to_subject, f.to_atlas}) {
    const at::Tensor u = field.contiguous();
    EXPECT_EQ(evaluate::count_folds(u.data_ptr<float>(), ops::shape_of(u)).not_positive, 0);
  }
}

TEST(Smooth, IsAGaussianOfUnitMassAndItsOwnAdjoint) {
  at::Tensor impulse = at::zeros({1, 2, 21, 23});
  impulse[0][1][10][11] = 1;
  const at::Tensor out = smooth(impulse, 1.5);
  EXPECT_NEAR(out.sum().item<double>(), 1, 1e-5);
  EXPECT_EQ(out[0][0].abs().max().item<double>(), 0);
  EXPECT_NEAR(out[0][1][10][12].item<double>() / out[0][1][10][11].item<double>(),
              std::exp(-0.5 / (1.5 * 1.5)), 1e-5);
  const at::Tensor a = at::randn({1, 3, 7, 8, 9}), b = at::randn({1, 3, 7, 8, 9});
  EXPECT_NEAR((smooth(a, 1) * b).sum().item<double>(), (a * smooth(b, 1)).sum().item<double>(),
              1e-3);
  EXPECT_TRUE(smooth(a, 0).equal(a));
}

}  // namespace
}  // namespace aladdin
