#include "aladdin/evaluate/centrality.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/test_cohort.h"

namespace aladdin::evaluate {
namespace {

using namespace evaluate::testing;

constexpr std::array<double, 3> kSpacing{0.5, 2.0, 3.0};

TEST(Centrality, OfOppositeFieldsIsZero) {
  auto v = smooth_velocity(kVolume, 3.0, 1);
  Centrality centrality(kVolume, kSpacing);
  centrality.add(v.data());
  EXPECT_GT(centrality.summary().mean_mm, 0.1);
  for (float& x : v) x = -x;
  centrality.add(v.data());
  const auto s = centrality.summary();
  EXPECT_EQ(s.subjects, 2);
  EXPECT_EQ(s.max_mm, 0);
  EXPECT_EQ(s.shift_vox, 0);
}

TEST(Centrality, OfAShiftIsThatShiftInVoxelsAndMillimetres) {
  std::vector<float> u(kPicture.dims * kPicture.voxels(), 0.0F), zero(u);
  std::fill_n(u.begin(), kPicture.voxels(), 6.0F);
  std::fill_n(u.begin() + kPicture.voxels(), kPicture.voxels(), -8.0F);
  Centrality centrality(kPicture, kSpacing);
  centrality.add(u.data());
  centrality.add(zero.data());
  const auto s = centrality.summary();
  const double mm = std::hypot(3 * 0.5, 4 * 2.0);
  for (const double value : {s.mean_vox, s.max_vox, s.shift_vox}) EXPECT_NEAR(value, 5, 1e-9);
  for (const double value : {s.mean_mm, s.max_mm, s.shift_mm}) EXPECT_NEAR(value, mm, 1e-9);
  std::vector<float> norms(kPicture.voxels()), mean(u.size());
  centrality.norms(norms.data());
  centrality.mean_field(mean.data());
  EXPECT_FLOAT_EQ(norms[17], float(mm));
  EXPECT_EQ(mean[0], 3.0F);
  EXPECT_EQ(mean.back(), -4.0F);
}

// Half the voxels go left, half go right: every voxel is off, the whole is not.
TEST(Centrality, TellsAShiftOfTheWholeFromLocalBias) {
  std::vector<float> u(kPicture.dims * kPicture.voxels(), 0.0F);
  for (std::int64_t v = 0; v < kPicture.voxels(); ++v) u[v] = v % 2 ? 1.0F : -1.0F;
  Centrality centrality(kPicture, kSpacing);
  centrality.add(u.data());
  EXPECT_NEAR(centrality.summary().mean_vox, 1, 1e-9);
  EXPECT_NEAR(centrality.summary().shift_vox, 0, 1e-9);
}

TEST(Centrality, OfNobodyThrows) {
  const Centrality centrality(kPicture, kSpacing);
  EXPECT_THROW(centrality.summary(), Error);
}

}  // namespace
}  // namespace aladdin::evaluate
