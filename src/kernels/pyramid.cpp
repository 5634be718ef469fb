#include "aladdin/kernels/pyramid.h"

#include <algorithm>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/buffer.h"
#include "aladdin/kernels/slabs.h"

namespace aladdin::kernels {
namespace {

// The rows of the other grid that one row is made of, along one axis.
struct Taps {
  std::int64_t index[3];
  float weight[3];
  int count = 0;

  void add(std::int64_t i, float w) {
    index[count] = i;
    weight[count++] = w;
  }
};

Taps reduce_taps(std::int64_t i, std::int64_t fine) {
  Taps taps;
  taps.add(std::max<std::int64_t>(2 * i - 1, 0), 0.25F);
  taps.add(2 * i, 0.5F);
  taps.add(std::min(2 * i + 1, fine - 1), 0.25F);
  return taps;
}

Taps refine_taps(std::int64_t i, std::int64_t fine) {
  Taps taps;
  if (i % 2 == 0 || i + 1 == fine) {
    taps.add(i / 2, 1.0F);
  } else {
    taps.add(i / 2, 0.5F);
    taps.add(i / 2 + 1, 0.5F);
  }
  return taps;
}

Taps backward_taps(std::int64_t i, std::int64_t fine) {
  Taps taps;
  if (i > 0) taps.add(2 * i - 1, 0.5F);
  taps.add(2 * i, 1.0F);
  if (2 * i + 1 < fine) taps.add(2 * i + 1, 2 * i + 2 < fine ? 0.5F : 1.0F);
  return taps;
}

// sum = the weighted sum of rows of `in`, a volume of rows `w` long, `h` to a slice.
void sum_rows(const float* in, const Taps& along_z, const Taps& along_y, std::int64_t h,
              std::int64_t w, float scale, float* sum) {
  std::fill_n(sum, w, 0.0F);
  for (int k = 0; k < along_z.count; ++k)
    for (int j = 0; j < along_y.count; ++j) {
      const float* row = in + w * (along_y.index[j] + h * along_z.index[k]);
      const float weight = scale * along_z.weight[k] * along_y.weight[j];
      for (std::int64_t x = 0; x < w; ++x) sum[x] += weight * row[x];
    }
}

void reduce_row(const float* in, std::int64_t w, float* out) {
  const std::int64_t half_w = (w + 1) / 2;
  const auto at = [&](std::int64_t x) { return in[std::clamp<std::int64_t>(x, 0, w - 1)]; };
  const auto ends = [&](std::int64_t i) {
    out[i] = 0.25F * (at(2 * i - 1) + 2 * at(2 * i) + at(2 * i + 1));
  };
  for (std::int64_t i = 1; i + 1 < half_w; ++i)
    out[i] = 0.25F * (in[2 * i - 1] + 2 * in[2 * i] + in[2 * i + 1]);
  ends(0);
  ends(half_w - 1);
}

void refine_row(const float* in, std::int64_t w, float* out) {
  const std::int64_t half_w = (w + 1) / 2;
  for (std::int64_t i = 0; i + 1 < half_w; ++i) {
    out[2 * i] = in[i];
    out[2 * i + 1] = 0.5F * (in[i] + in[i + 1]);
  }
  for (std::int64_t x = 2 * (half_w - 1); x < w; ++x) out[x] = in[half_w - 1];
}

void refine_row_backward(const float* grad_out, std::int64_t w, float* grad_in) {
  const std::int64_t half_w = (w + 1) / 2;
  for (std::int64_t i = 1; i + 1 < half_w; ++i)
    grad_in[i] = 0.5F * grad_out[2 * i - 1] + grad_out[2 * i] + 0.5F * grad_out[2 * i + 1];
  for (const std::int64_t i : {std::int64_t{0}, half_w - 1}) {
    const Taps taps = backward_taps(i, w);
    grad_in[i] = 0;
    for (int t = 0; t < taps.count; ++t) grad_in[i] += taps.weight[t] * grad_out[taps.index[t]];
  }
}

// Each row of `out` from rows of `in`: summed along z and y by the taps, then along x by `row`.
void resize(const float* in, const Shape& from, float* out, const Shape& to, const Shape& fine,
            std::int64_t planes, float scale, Taps (*taps)(std::int64_t, std::int64_t),
            void (*row)(const float*, std::int64_t, float*)) {
  const std::int64_t rows = planes * to.d * to.h;
  const Slabs slabs(rows, to.w, kPullVoxels);
  parallel_for(slabs.count(), [&](std::int64_t slab) {
    const Buffer sum = make_buffer(from.w);
    for (std::int64_t r = slabs.begin(slab); r < slabs.end(slab); ++r) {
      const std::int64_t y = r % to.h, z = r / to.h % to.d, plane = r / (to.h * to.d);
      sum_rows(in + plane * from.voxels(), taps(z, fine.d), taps(y, fine.h), from.h, from.w, scale,
               sum.get());
      row(sum.get(), fine.w, out + r * to.w);
    }
  });
}

}  // namespace

Shape half(const Shape& fine) {
  return {fine.n, (fine.d + 1) / 2, (fine.h + 1) / 2, (fine.w + 1) / 2, fine.dims};
}

void reduce(const float* in, float* out, const Shape& fine, int channels) {
  resize(in, fine, out, half(fine), fine, fine.n * channels, 1.0F, reduce_taps, reduce_row);
}

void refine(const float* in, float* out, const Shape& fine) {
  resize(in, half(fine), out, fine, fine, fine.n * fine.dims, 2.0F, refine_taps, refine_row);
}

void refine_backward(const float* grad_out, float* grad_in, const Shape& fine) {
  resize(grad_out, fine, grad_in, half(fine), fine, fine.n * fine.dims, 2.0F, backward_taps,
         refine_row_backward);
}

}  // namespace aladdin::kernels
