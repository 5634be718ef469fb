// Declarations of the functions behind FastTable for the level being compiled, and what they share.
#pragma once

#include "aladdin/kernels/fast/table.h"
#include "aladdin/kernels/fast/vector.h"

namespace aladdin::kernels::ALADDIN_SIMD {

void pack(const float*, std::int64_t, int, float, float*, std::int64_t);
void reach(const float*, const Shape&, std::int64_t, std::int64_t, std::int64_t*, std::int64_t*);
void compose(const float*, const float*, bool, float, float*, bool, const Shape&, std::int64_t,
             std::int64_t);
void compose_backward(const float*, const float*, bool, float, const float*, float*, float*,
                      std::int64_t, const Shape&, std::int64_t, std::int64_t);
void warp(const float*, const float*, float*, int, Border, const Shape&, std::int64_t,
          std::int64_t);
void warp_backward(const float*, const float*, const float*, float*, float*, std::int64_t,
                   std::int64_t, int, Border, const Shape&, std::int64_t, std::int64_t);
void reach_planar(const float*, const Shape&, std::int64_t, std::int64_t, std::int64_t*,
                  std::int64_t*);
double squared_difference(const float*, const float*, float*, float*, float, std::int64_t);
void sums(const float*, const float*, std::int64_t, double*);
void moments(const float*, const float*, float, float, std::int64_t, double*);
void combine(const float*, const float*, float, float, float, float, float, float*, std::int64_t);
void activation_backward(const float*, const float*, const float*, float, float*, std::int64_t);
double lncc(const float*, const float*, float, float, int, float*, bool, float*, const Shape&,
            std::int64_t, std::int64_t);
void lncc_gradient(const float*, const float*, float, float, int, const float*, float, float*,
                   float*, float*, const Shape&, std::int64_t, std::int64_t);
double bending(const float*, float*, const double*, const Shape&, std::int64_t, std::int64_t,
               float*);
void jacobian(const float*, float*, const Shape&, std::int64_t, std::int64_t, float*);
void jacobian_backward(const float*, const float*, float*, const Shape&, std::int64_t, std::int64_t,
                       float*);
int winograd_lanes();
void winograd_inputs(const float*, int, const WinogradShape&, std::int64_t, std::int64_t, float*,
                     std::int64_t);
void winograd_product(const float*, const float*, float*, std::int64_t, int, int);
void winograd_outputs(const float*, std::int64_t, const WinogradEnd&, const WinogradShape&,
                      std::int64_t, std::int64_t, float*);
void winograd_gradients(const float*, const WinogradShape&, std::int64_t, std::int64_t, float*,
                        std::int64_t);
void winograd_outer(const float*, const float*, float*, std::int64_t, int, int);
void winograd_weight(const float*, std::int64_t, std::int64_t, bool, int, int, int, float*,
                     std::int64_t);
void winograd_weight_back(const float*, std::int64_t, int, int, int, float*);

// Rows that [begin, end) reach when the displacement along the slowest axis is along(voxel).
template <class Along>
ALADDIN_INLINE void reach_along(const Shape& s, std::int64_t begin, std::int64_t end,
                                std::int64_t* lowest, std::int64_t* highest, Along&& along) {
  const bool planes = s.d > 1;
  const std::int64_t lines = planes ? s.d : s.h;
  float low = static_cast<float>(lines), high = -1.0F;
  for (std::int64_t row = begin; row < end; ++row) {
    const float line = static_cast<float>(planes ? row / s.h : row);
    for (std::int64_t x = 0; x < s.w; ++x) {
      const float p = line + along(row * s.w + x);
      low = p < low ? p : low;
      high = p > high ? p : high;
      // NaN lands at zero, as in the taps.
      low = p == p ? low : 0.0F;
      high = p == p || high > 0.0F ? high : 0.0F;
    }
  }
  low = low > 0.0F ? low : 0.0F;
  high = high < static_cast<float>(lines - 1) ? high : static_cast<float>(lines - 1);
  high = high > 0.0F ? high : 0.0F;
  low = low < static_cast<float>(lines - 1) ? low : static_cast<float>(lines - 1);
  const std::int64_t rows_per_line = planes ? s.h : 1;
  std::int64_t first = static_cast<std::int64_t>(low), last = static_cast<std::int64_t>(high) + 1;
  first = first > 0 ? first - 1 : 0;  // the pair before the last voxel at the far border
  last = last < lines - 1 ? last : lines - 1;
  *lowest = first * rows_per_line;
  *highest = last * rows_per_line + rows_per_line - 1;
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
