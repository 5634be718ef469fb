#include "aladdin/transform/pull_back.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using namespace testing;

class PullBackTest : public ::testing::TestWithParam<int> {
 protected:
  int dims() const { return GetParam(); }
  Grid grid() const { return oblique_grid(dims(), small_size(dims())); }
  Labels blobs() const {
    Labels labels(grid());
    Rng rng(5);
    for (auto& value : labels.values) value = static_cast<std::int32_t>(rng.below(3) * 11);
    return labels;
  }
};

TEST_P(PullBackTest, TheIdentityGivesTheImageBack) {
  const Image image = textured_image(grid(), 1);
  EXPECT_EQ(pull_back(image, {Displacement(grid())}, grid(), Interpolation::linear).values,
            image.values);
  for (const auto how : {Interpolation::linear, Interpolation::nearest, Interpolation::bspline}) {
    const Image same = pull_back(image, {}, grid(), how);
    for (std::size_t v = 0; v < same.values.size(); ++v)
      ASSERT_NEAR(same.values[v], image.values[v], 1e-3) << name_of(how);
  }
  EXPECT_EQ(pull_back(blobs(), {}, grid(), Interpolation::label).values, blobs().values);
  EXPECT_EQ(pull_back(blobs(), {}, grid(), Interpolation::nearest).values, blobs().values);
}

TEST_P(PullBackTest, AWholeVoxelShiftMovesVoxelsAndFillsWithZero) {
  const Image image = textured_image(grid(), 2);
  const Vec3 step = grid().index_to_point() * Vec3{2, 0, 0};
  const Image moved = pull_back(image, {translation(step, dims())}, grid());
  for (std::int64_t j = 0; j < grid().size[1]; ++j) {
    EXPECT_NEAR(moved.at(3, j), image.at(5, j), 1e-3);
    EXPECT_EQ(moved.at(grid().size[0] - 2, j), 0.0F);
  }
}

TEST_P(PullBackTest, LinearAndBSplineKeepARampUnderAnAffine) {
  const auto ramp = [](const Vec3& p) { return 3 + 0.5 * p[0] - 0.25 * p[1] + 0.75 * p[2]; };
  Image image(grid());
  for (std::int64_t v = 0; v < grid().voxels(); ++v)
    image.values[v] = static_cast<float>(ramp(grid().to_point(index_of(grid(), v))));
  const Affine affine = rotation(2, 0.2, grid().centre(), dims());
  Grid inner = grid();
  for (int axis = 0; axis < dims(); ++axis) inner.size[axis] = 5;
  inner.origin = grid().centre();
  for (const auto how : {Interpolation::linear, Interpolation::bspline}) {
    const Image turned = pull_back(image, {affine}, inner, how);
    for (std::int64_t v = 0; v < inner.voxels(); ++v)
      EXPECT_NEAR(turned.values[v], ramp(affine(inner.to_point(index_of(inner, v)))), 2e-3);
  }
}

TEST_P(PullBackTest, LabelIsTheArgmaxOfLinearOneHotImages) {
  const Labels labels = blobs();
  const Chain chain{smooth_field(grid(), 2, 1, 9)};
  const Labels fast = pull_back(labels, chain, grid(), Interpolation::label);
  std::map<std::int32_t, Image> one_hot;
  for (const std::int32_t label : {0, 11, 22}) {
    Image hot(grid());
    std::transform(labels.values.begin(), labels.values.end(), hot.values.begin(),
                   [&](std::int32_t value) { return value == label ? 1.0F : 0.0F; });
    one_hot[label] = pull_back(hot, chain, grid());
  }
  std::int64_t clear = 0;
  for (std::int64_t v = 0; v < grid().voxels(); ++v) {
    std::vector<std::pair<float, std::int32_t>> order;
    for (const auto& [label, image] : one_hot) order.emplace_back(image.values[v], label);
    std::sort(order.rbegin(), order.rend());
    if (order[0].first - order[1].first < 1e-5F) continue;  // a tie up to rounding, or outside
    ++clear;
    ASSERT_EQ(fast.values[v], order[0].second) << v;
  }
  EXPECT_GT(clear, grid().voxels() / 2);
}

TEST_P(PullBackTest, SameBitsForOneAndTwoThreads) {
  const Image image = textured_image(grid(), 3);
  const Chain chain{smooth_field(grid(), 2, 1, 7)};
  const int before = threads();
  for (const auto how : {Interpolation::linear, Interpolation::bspline}) {
    set_threads(1);
    const Image one = pull_back(image, chain, grid(), how);
    set_threads(2);
    EXPECT_EQ(pull_back(image, chain, grid(), how).values, one.values);
  }
  set_threads(before);
}

INSTANTIATE_TEST_SUITE_P(Dims, PullBackTest, ::testing::Values(2, 3));

TEST(PullBack, NamesAndRefusals) {
  EXPECT_EQ(parse_interpolation("bspline"), Interpolation::bspline);
  try {
    parse_interpolation("linar");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'linear'?"), std::string::npos);
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
  }
  const Grid volume = oblique_grid(3, small_size(3)), plane = oblique_grid(2, small_size(2));
  EXPECT_THROW(pull_back(Image(volume), {}, plane), Error);
  EXPECT_THROW(pull_back(Image(volume), {}, volume, Interpolation::label), Error);
  EXPECT_THROW(pull_back(Labels(volume), {}, volume, Interpolation::bspline), Error);
}

TEST(PullBack, OneVoxelThickImages) {
  Grid slab = oblique_grid(3, {9, 1, 7});
  const Image image = textured_image(slab, 4);
  for (const auto how : {Interpolation::linear, Interpolation::nearest, Interpolation::bspline}) {
    const Image same = pull_back(image, {}, slab, how);
    for (std::size_t v = 0; v < same.values.size(); ++v)
      EXPECT_NEAR(same.values[v], image.values[v], 1e-3) << name_of(how);
  }
}

}  // namespace
}  // namespace aladdin
