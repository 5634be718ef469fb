#include "aladdin/image/intensity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aladdin/core/rng.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;

TEST(Intensity, PercentileIsExact) {
  std::vector<float> values{5, 1, 4, 2, 3};
  EXPECT_EQ(percentile(values, 0), 1);
  EXPECT_EQ(percentile(values, 100), 5);
  EXPECT_EQ(percentile(values, 50), 3);
  EXPECT_FLOAT_EQ(percentile(values, 10), 1.4F);  // numpy.percentile([1..5], 10)
  Rng rng(1);
  std::vector<float> many(20001);
  for (auto& value : many) value = static_cast<float>(std::exp(4 * rng.normal()));
  std::vector<float> sorted = many;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(percentile(many, 99.9), sorted[19980]);
  EXPECT_EQ(percentile(many, 0.1), sorted[20]);
}

TEST(Intensity, PercentilesGoToZeroAndOneAndTheRestIsClamped) {
  Image image{Grid{3, {10, 10, 10}}};
  for (int v = 0; v < 1000; ++v) image.values[v] = static_cast<float>(v);
  image.values[999] = 1.7e6F;  // one bright voxel must not darken the rest
  const IntensityMap map = find_intensity_map(image, nullptr, {}, "x");
  EXPECT_NEAR(map.low, 0.999, 1e-4);
  EXPECT_LT(map.high, 3000);
  apply(map, image);
  EXPECT_EQ(image.values[0], 0);
  EXPECT_EQ(image.values[999], 1);
  EXPECT_NEAR(image.values[500], (500 - map.low) / (map.high - map.low), 1e-6);
}

TEST(Intensity, TheMaskDecidesWhereToLook) {
  Image image{Grid{3, {10, 10, 10}}};
  Labels mask(image.grid);
  for (int v = 0; v < 1000; ++v) {
    image.values[v] = v < 500 ? 1e5F : static_cast<float>(v);
    mask.values[v] = v < 500 ? 0 : 2;
  }
  const IntensityMap map = find_intensity_map(image, &mask, {0, 100}, "x");
  EXPECT_EQ(map.low, 500);
  EXPECT_EQ(map.high, 999);
}

TEST(Intensity, NothingToMap) {
  Image image{Grid{3, {10, 10, 10}}, 3.F};
  const auto refusal = [&](const Labels* mask) {
    return testing::error_of([&] { find_intensity_map(image, mask, {}, "a.nii"); });
  };
  EXPECT_THAT(refusal(nullptr), HasSubstr("'a.nii' is constant: every voxel is 3"));
  const Labels empty(image.grid);
  EXPECT_THAT(refusal(&empty), HasSubstr("the mask of 'a.nii' is empty"));
  image.values.resize(100000, 3.F);
  image.values[7] = 4;
  EXPECT_THAT(refusal(nullptr),
              HasSubstr("has no contrast: its 0.1 and 99.9 percentiles are 3 and 3"));
  EXPECT_THAT(testing::error_of([] {
                IntensityRule{5, 5}.validate();
              }),
              HasSubstr("are not 0 <= low < high"));
}

}  // namespace
}  // namespace aladdin
