// Local normalised cross-correlation by box sums: running sums over planes and rows, a doubling sum
// along x, so that the cost does not depend on the window (but for log2 of it along x).
//
// With the window means A, B and moments AA, BB, AB at x, local(x) = AB^2 / (AA BB + eps), and
//
//   d local(x) / d a(y) = p(x) (b(y) - B(x)) + q(x) (a(y) - A(x)),   y in W(x),
//   p = 2 AB / (AA BB + eps) / n,   q = -2 local BB / (AA BB + eps) / n,
//
// and the window is symmetric, so the gradient in a is a box sum of three maps: p, q, p B + q A.
// The gradient in b needs two more: q' (with AA for BB) and p A + q' B. Images are centred by their
// means first, which keeps the moments accurate in float.
#include "aladdin/kernels/fast/rows.h"
#include "aladdin/kernels/similarity.h"

namespace aladdin::kernels::ALADDIN_SIMD {
namespace {

ALADDIN_INLINE std::int64_t at_most(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
ALADDIN_INLINE std::int64_t at_least(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

struct Line {
  std::int64_t y, z, first;  // first voxel of the row
  float share_yz;            // one over the rows and planes inside the window
};

template <int Quantities>
class BoxSum {
 public:
  BoxSum(const Shape& s, int window, float* scratch)
      : s_(s),
        r_(window / 2),
        rx_(at_most(window / 2, s.w - 1)),
        columns_(scratch),
        rows_(columns_ + Quantities * s.w * s.h),
        sums_(rows_ + Quantities * s.w),
        shares_(sums_ + Quantities * s.w),
        padded_(shares_ + s.w),
        partial_(padded_ + 3 * s.w) {
    ALADDIN_IVDEP
    for (std::int64_t x = 0; x < s.w; ++x)
      shares_[x] = 1.0F / static_cast<float>(at_most(x + rx_, s.w - 1) - at_least(x - rx_, 0) + 1);
  }

  // load(first voxel of a row, i) gives the quantities of voxel i of it; emit(line, sums) gets
  // Quantities rows of window sums, one after the other.
  template <class Load, class Emit>
  void run(std::int64_t begin, std::int64_t end, Load&& load, Emit&& emit) {
    clear(columns_, Quantities * s_.w * s_.h);
    for (std::int64_t z = at_least(begin - r_, 0); z < at_most(begin + r_, s_.d); ++z)
      plane<1>(z, load);
    for (std::int64_t z = begin; z < end; ++z) {
      if (z + r_ < s_.d) plane<1>(z + r_, load);
      if (z > begin && z - r_ - 1 >= 0) plane<-1>(z - r_ - 1, load);
      const auto planes = at_most(z + r_, s_.d - 1) - at_least(z - r_, 0) + 1;
      clear(rows_, Quantities * s_.w);
      for (std::int64_t y = 0; y < at_most(r_, s_.h); ++y) row<1>(y);
      for (std::int64_t y = 0; y < s_.h; ++y) {
        if (y + r_ < s_.h) row<1>(y + r_);
        if (y - r_ - 1 >= 0) row<-1>(y - r_ - 1);
        const auto lines = at_most(y + r_, s_.h - 1) - at_least(y - r_, 0) + 1;
        for (int q = 0; q < Quantities; ++q) along_x(rows_ + q * s_.w, sums_ + q * s_.w);
        emit(Line{y, z, (z * s_.h + y) * s_.w, 1.0F / static_cast<float>(lines * planes)}, sums_);
      }
    }
  }

  // One over the number of voxels of a row inside the window around x.
  const float* shares_x() const { return shares_; }

 private:
  static void clear(float* p, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) p[i] = 0.0F;
  }

  template <int Sign, class Load>
  void plane(std::int64_t z, Load&& load) {
    for (std::int64_t y = 0; y < s_.h; ++y) {
      const std::int64_t first = (z * s_.h + y) * s_.w;
      float* column = columns_ + y * s_.w;
      const std::int64_t area = s_.w * s_.h;
      ALADDIN_IVDEP
      for (std::int64_t i = 0; i < s_.w; ++i) {
        float value[Quantities];
        load(first + i, value);
        for (int q = 0; q < Quantities; ++q) column[q * area + i] += Sign * value[q];
      }
    }
  }

  template <int Sign>
  void row(std::int64_t y) {
    for (int q = 0; q < Quantities; ++q) {
      const float* column = columns_ + (q * s_.h + y) * s_.w;
      float* sum = rows_ + q * s_.w;
      ALADDIN_IVDEP
      for (std::int64_t i = 0; i < s_.w; ++i) sum[i] += Sign * column[i];
    }
  }

  // to[x] = sum of from[x - rx … x + rx]: sums of 1, 2, 4, … voxels, picked by the window's bits.
  void along_x(const float* from, float* to) {
    const std::int64_t window = 2 * rx_ + 1, length = s_.w + 2 * rx_;
    clear(padded_, rx_);
    ALADDIN_IVDEP
    for (std::int64_t i = 0; i < s_.w; ++i) padded_[rx_ + i] = from[i];
    clear(padded_ + rx_ + s_.w, rx_);
    const float* doubled = padded_;
    clear(to, s_.w);
    std::int64_t done = 0;
    for (std::int64_t width = 1; width <= window; width *= 2) {
      if (window & width) {
        ALADDIN_IVDEP
        for (std::int64_t i = 0; i < s_.w; ++i) to[i] += doubled[i + done];
        done += width;
      }
      if (2 * width > window) break;
      ALADDIN_IVDEP
      for (std::int64_t i = 0; i + 2 * width <= length; ++i)
        partial_[i] = doubled[i] + doubled[i + width];
      float* const free = padded_;
      padded_ = partial_;
      partial_ = free;
      doubled = padded_;
    }
  }

  const Shape& s_;
  std::int64_t r_, rx_;
  float* columns_;
  float* rows_;
  float* sums_;
  float* shares_;
  float* padded_;
  float* partial_;
};

}  // namespace

double lncc(const float* a, const float* b, float mean_a, float mean_b, int window, float* maps,
            bool both_gradients, float* scratch, const Shape& s, std::int64_t begin,
            std::int64_t end) {
  const std::int64_t voxels = s.voxels();
  BoxSum<5> box(s, window, scratch);
  const float* shares_x = box.shares_x();
  double total = 0;
  const auto load = [=](std::int64_t i, float* value) {
    const float da = a[i] - mean_a, db = b[i] - mean_b;
    value[0] = da;
    value[1] = db;
    value[2] = da * da;
    value[3] = db * db;
    value[4] = da * db;
  };
  box.run(begin, end, load, [&](const Line& line, const float* sum) {
    constexpr int kLanes = 16;
    float lanes[kLanes] = {};
    for (std::int64_t start = 0; start < s.w; start += kLanes) {
      const int count = static_cast<int>(at_most(kLanes, s.w - start));
      ALADDIN_IVDEP
      for (int l = 0; l < count; ++l) {
        const std::int64_t x = start + l;
        const float share = line.share_yz * shares_x[x];
        const float ma = share * sum[x], mb = share * sum[s.w + x];
        float aa = share * sum[2 * s.w + x] - ma * ma, bb = share * sum[3 * s.w + x] - mb * mb;
        aa = aa > 0.0F ? aa : 0.0F;
        bb = bb > 0.0F ? bb : 0.0F;
        const float ab = share * sum[4 * s.w + x] - ma * mb;
        constexpr auto noise = static_cast<float>(kLnccEpsilon);
        const float by_a = 1.0F / (aa + noise), by_b = 1.0F / (bb + noise);
        const float scale = (ab + noise) * by_a * by_b, local = (ab + noise) * scale;
        lanes[l] += local;
        if (!maps) continue;
        const float p = 2.0F * scale * share, q = -2.0F * local * by_a * share;
        float* map = maps + line.first + x;
        map[0] = p;
        map[voxels] = q;
        map[2 * voxels] = p * mb + q * ma;
        if (!both_gradients) continue;
        const float other = -2.0F * local * by_b * share;
        map[3 * voxels] = other;
        map[4 * voxels] = p * ma + other * mb;
      }
    }
    for (const float lane : lanes) total += static_cast<double>(lane);
  });
  return total;
}

namespace {

template <int Maps>
void gradient_rows(const float* a, const float* b, float mean_a, float mean_b, int window,
                   const float* maps, float factor, float* grad_a, float* grad_b, float* scratch,
                   const Shape& s, std::int64_t begin, std::int64_t end) {
  const std::int64_t voxels = s.voxels();
  BoxSum<Maps> box(s, window, scratch);
  const auto load = [=](std::int64_t i, float* value) {
    for (int q = 0; q < Maps; ++q) value[q] = maps[q * voxels + i];
  };
  box.run(begin, end, load, [&](const Line& line, const float* sum) {
    ALADDIN_IVDEP
    for (std::int64_t x = 0; x < s.w; ++x) {
      const std::int64_t i = line.first + x;
      const float da = a[i] - mean_a, db = b[i] - mean_b, p = sum[x];
      grad_a[i] = factor * (p * db + sum[s.w + x] * da - sum[2 * s.w + x]);
      if constexpr (Maps == kLnccMapsBoth)
        grad_b[i] = factor * (p * da + sum[3 * s.w + x] * db - sum[4 * s.w + x]);
    }
  });
}

}  // namespace

void lncc_gradient(const float* a, const float* b, float mean_a, float mean_b, int window,
                   const float* maps, float factor, float* grad_a, float* grad_b, float* scratch,
                   const Shape& s, std::int64_t begin, std::int64_t end) {
  const auto rows = grad_b ? gradient_rows<kLnccMapsBoth> : gradient_rows<kLnccMaps>;
  rows(a, b, mean_a, mean_b, window, maps, factor, grad_a, grad_b, scratch, s, begin, end);
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
