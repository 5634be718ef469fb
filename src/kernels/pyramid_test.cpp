#include "aladdin/kernels/pyramid.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"

namespace aladdin::kernels {
namespace {

// Odd, even, one and two thick, a picture, several items.
const std::vector<Shape> kShapes{{1, 8, 6, 10, 3}, {2, 7, 5, 9, 3},   {1, 1, 4, 5, 3},
                                 {1, 2, 1, 2, 3},  {1, 3, 2, 1, 3},   {3, 1, 13, 8, 2},
                                 {1, 1, 1, 1, 2},  {1, 40, 41, 33, 3}};

template <class T>
std::vector<T> noise(std::int64_t values, int seed) {
  std::vector<T> out(static_cast<std::size_t>(values));
  Rng rng(seed);
  for (T& value : out) value = static_cast<T>(rng.uniform() - 0.5);
  return out;
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-6) << i;
}

TEST(Pyramid, FastAgreesWithTheReferenceForAnyNumberOfThreads) {
  for (const Shape& s : kShapes)
    for (const int threads : {1, 2}) {
      set_threads(threads);
      const std::int64_t fine = s.n * s.dims * s.voxels(), coarse = s.n * s.dims * half(s).voxels();
      std::vector<float> a(coarse), b(coarse), c(fine), d(fine);
      const auto on_fine = noise<float>(fine, 1), on_coarse = noise<float>(coarse, 2);
      reduce(on_fine.data(), a.data(), s, s.dims);
      reference::reduce(on_fine.data(), b.data(), s, s.dims);
      expect_near(a, b);
      refine(on_coarse.data(), c.data(), s);
      reference::refine(on_coarse.data(), d.data(), s);
      expect_near(c, d);
      refine_backward(on_fine.data(), a.data(), s);
      reference::refine_backward(on_fine.data(), b.data(), s);
      expect_near(a, b);
    }
  set_threads(0);
}

TEST(Pyramid, TheBackwardPassIsTheTransposed) {
  for (const Shape& s : kShapes) {
    const std::int64_t fine = s.n * s.dims * s.voxels(), coarse = s.n * s.dims * half(s).voxels();
    const auto x = noise<double>(coarse, 3), y = noise<double>(fine, 4);
    std::vector<double> forward(fine), backward(coarse);
    reference::refine(x.data(), forward.data(), s);
    reference::refine_backward(y.data(), backward.data(), s);
    EXPECT_NEAR(std::inner_product(y.begin(), y.end(), forward.begin(), 0.0),
                std::inner_product(x.begin(), x.end(), backward.begin(), 0.0), 1e-10);
  }
}

float plane(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<float>(0.5 * double(x) - 0.25 * double(y) + double(z) + 3);
}

TEST(Pyramid, LinearFunctionsAreReproducedInside) {
  for (const Shape s : {Shape{1, 9, 11, 12, 3}, Shape{1, 8, 7, 10, 3}}) {
    const Shape c = half(s);
    std::vector<float> fine(3 * s.voxels()), coarse(3 * c.voxels()), out(coarse.size()),
        back(fine.size());
    for (int k = 0; k < 3; ++k) {
      for (std::int64_t v = 0; v < s.voxels(); ++v)
        fine[k * s.voxels() + v] = plane(v % s.w, v / s.w % s.h, v / (s.w * s.h));
      for (std::int64_t v = 0; v < c.voxels(); ++v)
        coarse[k * c.voxels() + v] =
            plane(2 * (v % c.w), 2 * (v / c.w % c.h), 2 * (v / (c.w * c.h)));
    }
    reduce(fine.data(), out.data(), s, 3);
    refine(coarse.data(), back.data(), s);
    for (std::int64_t z = 1; z + 1 < c.d; ++z)
      for (std::int64_t y = 1; y + 1 < c.h; ++y)
        for (std::int64_t x = 1; x + 1 < c.w; ++x) {
          const std::int64_t v = x + c.w * (y + c.h * z);
          ASSERT_NEAR(out[v], coarse[v], 1e-5);
        }
    for (std::int64_t z = 0; z <= 2 * (c.d - 1); ++z)
      for (std::int64_t y = 0; y <= 2 * (c.h - 1); ++y)
        for (std::int64_t x = 0; x <= 2 * (c.w - 1); ++x) {
          const std::int64_t v = x + s.w * (y + s.h * z);
          ASSERT_NEAR(back[v], 2 * fine[v], 1e-5);
        }
  }
}

TEST(Pyramid, ConstantsStayUpToTheBorderAndDisplacementsDouble) {
  for (const Shape& s : kShapes) {
    std::vector<float> fine(s.n * s.dims * s.voxels(), 1.5F),
        coarse(s.n * s.dims * half(s).voxels());
    reduce(fine.data(), coarse.data(), s, s.dims);
    for (const float value : coarse) ASSERT_FLOAT_EQ(value, 1.5F);
    refine(coarse.data(), fine.data(), s);
    for (const float value : fine) ASSERT_FLOAT_EQ(value, 3.0F);
  }
}

}  // namespace
}  // namespace aladdin::kernels
