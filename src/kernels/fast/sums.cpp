// Sums over contiguous voxels, in double across blocks: the inner loops of MSE and NCC.
#include "aladdin/kernels/fast/rows.h"

namespace aladdin::kernels::ALADDIN_SIMD {
namespace {

constexpr std::int64_t kLanes = 16;
constexpr std::int64_t kRun = 1024;  // voxels summed in float before they go to double

// total[q] += sum over i of value_q(i). The order of additions depends on `count` alone.
template <int Quantities, class Values>
ALADDIN_INLINE void accumulate(std::int64_t count, double* total, Values&& values) {
  for (std::int64_t begin = 0; begin < count; begin += kRun) {
    const std::int64_t end = begin + kRun < count ? begin + kRun : count;
    float lanes[Quantities][kLanes] = {};
    std::int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes) ALADDIN_IVDEP
    for (int l = 0; l < kLanes; ++l) {
      float value[Quantities];
      values(i + l, value);
      for (int q = 0; q < Quantities; ++q) lanes[q][l] += value[q];
    }
    for (int l = 0; i < end; ++i, ++l) {
      float value[Quantities];
      values(i, value);
      for (int q = 0; q < Quantities; ++q) lanes[q][l] += value[q];
    }
    for (int q = 0; q < Quantities; ++q)
      for (int l = 0; l < kLanes; ++l) total[q] += static_cast<double>(lanes[q][l]);
  }
}

}  // namespace

double squared_difference(const float* a, const float* b, float* grad_a, float* grad_b,
                          float factor, std::int64_t count) {
  double total = 0;
  accumulate<1>(count, &total, [=](std::int64_t i, float* value) {
    const float difference = a[i] - b[i];
    value[0] = difference * difference;
  });
  if (grad_a) ALADDIN_IVDEP
  for (std::int64_t i = 0; i < count; ++i) grad_a[i] = factor * (a[i] - b[i]);
  if (grad_b) ALADDIN_IVDEP
  for (std::int64_t i = 0; i < count; ++i) grad_b[i] = factor * (b[i] - a[i]);
  return total;
}

void sums(const float* a, const float* b, std::int64_t count, double* total) {
  accumulate<2>(count, total, [=](std::int64_t i, float* value) {
    value[0] = a[i];
    value[1] = b[i];
  });
}

void moments(const float* a, const float* b, float mean_a, float mean_b, std::int64_t count,
             double* total) {
  accumulate<5>(count, total, [=](std::int64_t i, float* value) {
    const float da = a[i] - mean_a, db = b[i] - mean_b;
    value[0] = da * da;
    value[1] = db * db;
    value[2] = da * db;
    value[3] = da;
    value[4] = db;
  });
}

void combine(const float* a, const float* b, float p, float q, float mean_a, float mean_b,
             float offset, float* out, std::int64_t count) {
  ALADDIN_IVDEP
  for (std::int64_t i = 0; i < count; ++i)
    out[i] = p * (a[i] - mean_a) + q * (b[i] - mean_b) - offset;
}

void activation_backward(const float* g, const float* v, const float* b, float slope, float* out,
                         std::int64_t count) {
  if (b) {
    ALADDIN_IVDEP
    for (std::int64_t i = 0; i < count; ++i) out[i] = g[i] * (v[i] > b[i] ? 1.0F : slope);
  } else {
    ALADDIN_IVDEP
    for (std::int64_t i = 0; i < count; ++i) out[i] = g[i] * (v[i] > 0.0F ? 1.0F : slope);
  }
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
