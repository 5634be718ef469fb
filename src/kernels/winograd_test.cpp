#include "aladdin/kernels/winograd.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"
#include "aladdin/kernels/buffer.h"

namespace aladdin::kernels {
namespace {

using Values = std::vector<double>;

Values random_values(std::int64_t count, std::uint64_t stream) {
  Rng rng(7, stream);
  Values out(static_cast<std::size_t>(count));
  for (double& value : out) value = static_cast<float>(rng.normal());
  return out;
}

std::vector<float> as_float(const Values& values) { return {values.begin(), values.end()}; }

// (n, c, d, h, w) and back.
Buffer blocked(const Values& plain, const WinogradShape& s, int channels) {
  const std::int64_t voxels = s.d * s.h * s.w;
  Buffer out = make_buffer(static_cast<std::int64_t>(plain.size()));
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t voxel = at % voxels, c = at / voxels % channels, n = at / voxels / channels;
    out[(n * channels + c / s.block * s.block) * voxels + voxel * s.block + c % s.block] =
        static_cast<float>(plain[i]);
  }
  return out;
}

Values plain(const Buffer& from, const WinogradShape& s, int channels) {
  const std::int64_t voxels = s.d * s.h * s.w;
  Values out(static_cast<std::size_t>(s.n * channels * voxels));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t voxel = at % voxels, c = at / voxels % channels, n = at / voxels / channels;
    out[i] = from[(n * channels + c / s.block * s.block) * voxels + voxel * s.block + c % s.block];
  }
  return out;
}

Buffer packed(const Values& weight, const WinogradShape& s, bool mirrored = false) {
  Buffer out = make_buffer(kWinogradPlaces * s.in * s.out);
  winograd_weight(as_float(weight).data(), s.in, s.out, mirrored, out.get());
  return out;
}

// visit(output, input, weight) for every product of the convolution.
template <class Visit>
void for_each_product(const WinogradShape& s, Visit&& visit) {
  for (std::int64_t n = 0; n < s.n; ++n)
    for (int o = 0; o < s.out; ++o)
      for (int i = 0; i < s.in; ++i)
        for (int tap = 0; tap < 27; ++tap)
          for (std::int64_t z = 0; z < s.d; ++z)
            for (std::int64_t y = 0; y < s.h; ++y)
              for (std::int64_t x = 0; x < s.w; ++x) {
                const std::int64_t zz = z + tap / 9 - 1, yy = y + tap / 3 % 3 - 1,
                                   xx = x + tap % 3 - 1;
                if (zz < 0 || zz >= s.d || yy < 0 || yy >= s.h || xx < 0 || xx >= s.w) continue;
                visit((((n * s.out + o) * s.d + z) * s.h + y) * s.w + x,
                      (((n * s.in + i) * s.d + zz) * s.h + yy) * s.w + xx,
                      (std::int64_t{o} * s.in + i) * 27 + tap);
              }
}

void expect_near(const Values& got, const Values& expected) {
  ASSERT_EQ(got.size(), expected.size());
  double scale = 0;
  for (const double value : expected) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i], 3e-6 * scale) << "at " << i;
}

class Winograd : public testing::TestWithParam<WinogradShape> {
 protected:
  const WinogradShape s = GetParam();
  const std::int64_t voxels = s.d * s.h * s.w;
  const Values x = random_values(s.n * s.in * voxels, 1);
  const Values w = random_values(std::int64_t{27} * s.in * s.out, 2);
  const Values g = random_values(s.n * s.out * voxels, 3);
};

TEST_P(Winograd, IsTheConvolutionWithItsEnd) {
  const Values bias = random_values(s.out, 4), residual = random_values(s.n * s.out * voxels, 5);
  Values expected(g.size());
  for_each_product(s, [&](auto o, auto i, auto k) { expected[o] += x[i] * w[k]; });
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = expected[i] + bias[static_cast<std::int64_t>(i) / voxels % s.out];
    expected[i] = (value > 0 ? value : 0.01 * value) + residual[i];
  }
  const Buffer y = make_buffer(static_cast<std::int64_t>(g.size()));
  const Buffer added = blocked(residual, s, s.out), biases = make_buffer(s.out);
  std::copy(bias.begin(), bias.end(), biases.get());
  winograd(blocked(x, s, s.in).get(), packed(w, s).get(), {biases.get(), 0.01F, added.get()},
           y.get(), s);
  expect_near(plain(y, s, s.out), expected);
}

TEST_P(Winograd, MirroredIsTheWayBackToTheInput) {
  Values expected(x.size());
  for_each_product(s, [&](auto o, auto i, auto k) { expected[i] += g[o] * w[k]; });
  WinogradShape back = s;
  std::swap(back.in, back.out);
  const Buffer y = make_buffer(static_cast<std::int64_t>(x.size()));
  winograd(blocked(g, s, s.out).get(), packed(w, back, true).get(), {}, y.get(), back);
  expect_near(plain(y, s, s.in), expected);
}

TEST_P(Winograd, TheWayBackToTheWeight) {
  Values expected(w.size()), expected_bias(s.out);
  for_each_product(s, [&](auto o, auto i, auto k) { expected[k] += g[o] * x[i]; });
  for (std::size_t i = 0; i < g.size(); ++i)
    expected_bias[static_cast<std::int64_t>(i) / voxels % s.out] += g[i];
  std::vector<float> got(w.size()), bias(s.out);
  winograd_by_weight(blocked(x, s, s.in).get(), blocked(g, s, s.out).get(), got.data(), bias.data(),
                     s);
  expect_near(Values(got.begin(), got.end()), expected);
  expect_near(Values(bias.begin(), bias.end()), expected_bias);
}

TEST_P(Winograd, SameBitsForAnyThreads) {
  const Buffer in = blocked(x, s, s.in), back = blocked(g, s, s.out);
  const auto run = [&](int threads) {
    set_threads(threads);
    const Buffer y = make_buffer(static_cast<std::int64_t>(g.size()));
    winograd(in.get(), packed(w, s).get(), {}, y.get(), s);
    std::vector<float> out(y.get(), y.get() + g.size()), by_weight(w.size()), by_bias(s.out);
    winograd_by_weight(in.get(), back.get(), by_weight.data(), by_bias.data(), s);
    out.insert(out.end(), by_weight.begin(), by_weight.end());
    out.insert(out.end(), by_bias.begin(), by_bias.end());
    set_threads(0);
    return out;
  };
  const auto one = run(1);
  EXPECT_EQ(run(2), one);
  EXPECT_EQ(run(3), one);
}

// Those whose blocks hold whole vectors of this SIMD level: 8 channels are none in AVX-512, and are tested at the others
// (simd.avx2.kernels_test, simd.baseline.kernels_test).
std::vector<WinogradShape> shapes() {
  const std::vector<WinogradShape> all{{1, 4, 4, 4, 16, 16, 16},  {2, 5, 6, 7, 32, 16, 16},
                                       {1, 3, 9, 14, 16, 48, 16}, {2, 10, 12, 22, 16, 32, 16},
                                       {1, 1, 9, 8, 16, 16, 16},  {1, 5, 6, 7, 8, 24, 8},
                                       {2, 4, 5, 6, 24, 8, 8}};
  std::vector<WinogradShape> out;
  for (const WinogradShape& shape : all)
    if (winograd_suits({1, 8, 8, 8, shape.in, shape.out, shape.block})) out.push_back(shape);
  return out;
}

std::string name_of(const testing::TestParamInfo<WinogradShape>& info) {
  const WinogradShape& s = info.param;
  return fmt::format("{}x{}x{}x{}_{}to{}", s.n, s.d, s.h, s.w, s.in, s.out);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Winograd, testing::ValuesIn(shapes()), name_of);

TEST(WinogradSuits, ChannelsThatFillVectorsAndTilesThatFit) {
  EXPECT_TRUE(winograd_suits({1, 8, 8, 8, 32, 64, 16}));
  EXPECT_FALSE(winograd_suits({1, 8, 8, 8, 2, 16, 16}));
  EXPECT_FALSE(winograd_suits({1, 8, 8, 8, 16, 3, 16}));
  EXPECT_FALSE(winograd_suits({1, 3, 4, 3, 32, 32, 16}));
  EXPECT_FALSE(winograd_suits({2, 4, 4, 4, 128, 128, 16}));
  EXPECT_FALSE(winograd_suits({1, 8, 8, 8, 32, 32, 0}));
}

}  // namespace
}  // namespace aladdin::kernels
