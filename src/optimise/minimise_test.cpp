#include "aladdin/optimise/minimise.h"

#include <gtest/gtest.h>

#include "aladdin/optimise/test_images.h"

namespace aladdin {
namespace {

using namespace testing;
using kernels::Shape;

class Minimised : public ::testing::Test {
 protected:
  Minimised() {
    config_.loss.lambda = 0.5;
    config_.network.velocity_scale = 1;
    const Values image = blobs(shape_, 3);
    energy_ = std::make_unique<RegistrationEnergy>(
        config_, shape_, std::array<double, 3>{1, 1, 1},
        ImagePair{moved(image, waves(shape_, 1.5, 4), shape_), image, {}});
    preconditioner_ = std::make_unique<Preconditioner>(
        shape_, std::array<double, 3>{1, 1, 1},
        Preconditioner::Options{.kappa = energy_->curvature(), .lambda = config_.loss.lambda});
  }

  const Shape shape_{1, 1, 40, 48, 2};
  Config config_;
  std::unique_ptr<RegistrationEnergy> energy_;
  std::unique_ptr<Preconditioner> preconditioner_;
};

TEST_F(Minimised, TheEnergyFallsAndIsThatOfTheResult) {
  Values v(static_cast<std::size_t>(2 * shape_.voxels()), 0.0F);
  const double before = (*energy_)(v.data(), nullptr);
  const Minimum found = minimise(*energy_, *preconditioner_, {.iterations = 60}, v);
  EXPECT_LT(found.energy, 0.5 * before);
  EXPECT_NEAR((*energy_)(v.data(), nullptr), found.energy, 1e-12);
}

// It stops because it has converged: twice the iterations change next to nothing.
TEST_F(Minimised, MoreIterationsChangeNothing) {
  Values once(static_cast<std::size_t>(2 * shape_.voxels()), 0.0F), twice = once;
  const Minimum a = minimise(*energy_, *preconditioner_, {.iterations = 150}, once);
  const Minimum b = minimise(*energy_, *preconditioner_, {.iterations = 300}, twice);
  EXPECT_LT(a.iterations, 150);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(once, twice);
}

TEST_F(Minimised, NoStepIsLongerThanItMayBe) {
  Values v(static_cast<std::size_t>(2 * shape_.voxels()), 0.0F);
  minimise(*energy_, *preconditioner_, {.iterations = 1, .longest_vox = 0.25}, v);
  float most = 0;
  for (std::int64_t i = 0; i < shape_.voxels(); ++i)
    most = std::max(most, std::hypot(v[i], v[i + shape_.voxels()]));
  EXPECT_LE(most, 0.2501F);
  EXPECT_GT(most, 0);
}

}  // namespace
}  // namespace aladdin
