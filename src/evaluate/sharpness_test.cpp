#include "aladdin/evaluate/sharpness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin::evaluate {
namespace {

Image image_of(const Size3& size, const Vec3& spacing, int dims, auto&& value) {
  Grid grid;
  grid.dims = dims;
  grid.size = size;
  grid.spacing = spacing;
  Image image(grid);
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i) image.at(i, j, k) = float(value(i, j, k));
  return image;
}

TEST(Sharpness, OfARampIsItsSlopeSquaredInMillimetres) {
  const auto ramp = image_of({9, 7, 5}, {0.5, 2, 4}, 3,
                             [](auto i, auto j, auto k) { return 1.0 * i + 3.0 * j - 2.0 * k; });
  EXPECT_NEAR(measure_sharpness(ramp).gradient_energy, 4 + 2.25 + 0.25, 1e-9);
  const auto flat = image_of({9, 7, 1}, {0.5, 2, 1}, 2, [](auto i, auto, auto) { return 2.0 * i; });
  EXPECT_NEAR(measure_sharpness(flat).gradient_energy, 16, 1e-9);
}

TEST(Sharpness, RelativeEnergyAndEntropyAreFreeOfTheScale) {
  const auto wave = [](double scale) {
    return [scale](auto i, auto j, auto) {
      return scale * (std::sin(0.7 * double(i)) + 0.1 * double(j));
    };
  };
  const auto a = measure_sharpness(image_of({20, 9, 1}, {1, 1, 1}, 2, wave(1)));
  const auto b = measure_sharpness(image_of({20, 9, 1}, {1, 1, 1}, 2, wave(8)));
  EXPECT_NEAR(b.gradient_energy, 64 * a.gradient_energy, 1e-4 * b.gradient_energy);
  EXPECT_NEAR(b.relative_energy, a.relative_energy, 1e-5 * a.relative_energy);
  EXPECT_NEAR(b.entropy_bits, a.entropy_bits, 1e-9);
}

TEST(Sharpness, EntropyOfEquallyFrequentValuesIsTheirLogarithm) {
  const auto four = image_of({8, 5, 3}, {1, 1, 1}, 3, [](auto i, auto, auto) { return i % 4; });
  EXPECT_NEAR(measure_sharpness(four).entropy_bits, 2, 1e-12);
}

TEST(Sharpness, OfAConstantIsZeroAndOfNaNAnError) {
  auto image = image_of({4, 4, 4}, {1, 1, 1}, 3, [](auto, auto, auto) { return 3; });
  EXPECT_EQ(measure_sharpness(image).gradient_energy, 0);
  EXPECT_EQ(measure_sharpness(image).relative_energy, 0);
  EXPECT_EQ(measure_sharpness(image).entropy_bits, 0);
  image.values[5] = std::nanf("");
  EXPECT_THROW(measure_sharpness(image), Error);
}

}  // namespace
}  // namespace aladdin::evaluate
