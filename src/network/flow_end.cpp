#include "aladdin/network/flow_end.h"

#include <algorithm>

#include "aladdin/core/parallel.h"

namespace aladdin {
namespace {

using Size = std::vector<std::int64_t>;

// Sizes of the voxels at full resolution and of the corners between, d = 1 in 2-D.
struct Places {
  bool flat;
  std::int64_t n, d, h, w;  // voxels
  std::int64_t cd, ch, cw;  // corners
  explicit Places(const Size& full)
      : flat(full.size() == 4),
        n(full[0]),
        d(flat ? 1 : full[2]),
        h(full[full.size() - 2]),
        w(full.back()),
        cd(flat ? 1 : d / 2 + 1),
        ch(h / 2 + 1),
        cw(w / 2 + 1) {}
  std::int64_t voxels() const { return d * h * w; }
  std::int64_t corners() const { return cd * ch * cw; }
};

// 0, 1, 2: the first of an axis, another, the last.
int class_of(std::int64_t t, std::int64_t size) { return t == 0 ? 0 : t == size - 1 ? 2 : 1; }
// Is t + k inside for a voxel of this class? k = 0, 1, 2 stands for -1, 0, 1.
bool has(int of_class, int k) { return !(of_class == 0 && k == 0) && !(of_class == 2 && k == 2); }

// Taps (k), (q), (r), (s) of all axes as one number, z slowest.
template <class Body>
void for_each(int dims, int base, Body&& body) {
  int count = 1;
  for (int a = 0; a < dims; ++a) count *= base;
  for (int i = 0; i < count; ++i) {
    int digits[3] = {0, 0, 0};
    for (int a = dims - 1, rest = i; a >= 0; --a, rest /= base) digits[a] = rest % base;
    body(i, digits);
  }
}

// Calls body(q, k, r, s) for all that belong together.
template <class Body>
void for_each_tap(int dims, Body&& body) {
  for_each(dims, 2, [&](int q, const int* qs) {
    for_each(dims, 3, [&](int k, const int* ks) {
      int r = 0, s = 0;
      for (int a = 0; a < dims; ++a) {
        const int e = qs[a] + ks[a];
        r = 2 * r + e / 2;
        s = 2 * s + e % 2;
      }
      body(q, k, r, s);
    });
  });
}

// Calls body(class, k) for all k inside.
template <class Body>
void for_each_inside(int dims, Body&& body) {
  for_each(dims, 3, [&](int of_class, const int* classes) {
    for_each(dims, 3, [&](int k, const int* ks) {
      for (int a = 0; a < dims; ++a)
        if (!has(classes[a], ks[a])) return;
      body(of_class, k);
    });
  });
}

int power(int base, int dims) { return dims == 3 ? base * base * base : base * base; }

// A channel of blocked corners: where it starts, and the floats from one corner to the next.
struct Channel {
  float* start;
  std::int64_t step;
};

class Blocked {
 public:
  explicit Blocked(const Block& block) : data_(block.data()) {
    const auto& md = block.desc().data;
    block_ = md.format_desc.blocking.inner_blks[0];
    groups_ = md.padded_dims[1] / block_;
  }
  Channel channel(std::int64_t item, std::int64_t c, std::int64_t corners) const {
    return {data_ + (item * groups_ + c / block_) * corners * block_ + c % block_, block_};
  }

 private:
  float* data_;
  std::int64_t block_, groups_;
};

bool is_blocked(const dnnl::memory::desc& desc) {
  const auto& blocking = desc.data.format_desc.blocking;
  return desc.data.format_kind == dnnl_blocked && blocking.inner_nblks == 1 &&
         blocking.inner_idxs[0] == 1;
}

}  // namespace

FlowEnd::FlowEnd(int dims, std::int64_t in, std::int64_t middle, std::int64_t out)
    : dims_(dims), in_(in), middle_(middle), out_(out) {}

LayerKey FlowEnd::key(const Size& input) const {
  Size weight{out_ * power(2, dims_), in_};
  weight.insert(weight.end(), dims_, 2);
  return {input, weight};
}

std::vector<float> FlowEnd::kernel(const FlowEndWeights& weights) const {
  const int cube = power(2, dims_), taps = power(3, dims_);
  std::vector<float> out(static_cast<std::size_t>(out_ * cube * in_ * cube), 0.0F);
  for_each_tap(dims_, [&](int q, int k, int r, int s) {
    for (std::int64_t o = 0; o < out_; ++o)
      for (std::int64_t c = 0; c < in_; ++c) {
        float sum = 0;
        for (std::int64_t m = 0; m < middle_; ++m)
          sum +=
              weights.flow[(o * middle_ + m) * taps + k] * weights.up[(c * middle_ + m) * cube + s];
        out[((o * cube + q) * in_ + c) * cube + r] += sum;
      }
  });
  return out;
}

void FlowEnd::place(const Block& corners, const FlowEndWeights& weights, float* out) const {
  const InLayout moved(corners.view, is_blocked(corners.desc())
                                         ? corners.desc()
                                         : blocked_desc(corners.desc().dims(), 8));
  const Blocked from(
      Block(moved.view.get_desc(), static_cast<float*>(moved.view.get_data_handle())));
  Size full = size_of(corners);
  for (std::size_t a = 2; a < full.size(); ++a) full[a] = 2 * (full[a] - 1);
  const Places p(full);
  const int taps = power(3, dims_), cube = power(2, dims_);
  std::vector<float> bias(static_cast<std::size_t>(out_ * taps));  // (out, classes)
  for (std::int64_t o = 0; o < out_; ++o)
    std::fill_n(bias.begin() + o * taps, taps, weights.flow_bias[o]);
  for_each_inside(dims_, [&](int of_class, int k) {
    for (std::int64_t o = 0; o < out_; ++o)
      for (std::int64_t m = 0; m < middle_; ++m)
        bias[o * taps + of_class] +=
            weights.up_bias[m] * weights.flow[(o * middle_ + m) * taps + k];
  });

  parallel_ranges(p.n * p.d * p.h, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t y = row % p.h, z = row / p.h % p.d, item = row / (p.h * p.d);
      // The corner of voxel t is (t + 1) / 2, and q = (t + 1) % 2.
      const std::int64_t cz = p.flat ? 0 : (z + 1) / 2, cy = (y + 1) / 2;
      const int q =
          (p.flat ? 0 : static_cast<int>((z + 1) % 2) * 4) + static_cast<int>((y + 1) % 2) * 2;
      const int row_class = (p.flat ? 0 : 9 * class_of(z, p.d)) + 3 * class_of(y, p.h);
      for (std::int64_t o = 0; o < out_; ++o) {
        const Channel channel = from.channel(item, o * cube + q, p.corners());
        const float* in = channel.start + (cz * p.ch + cy) * p.cw * channel.step;
        const float* b = bias.data() + o * taps + row_class;
        float* to = out + ((item * out_ + o) * p.d + z) * p.h * p.w + y * p.w;
        for (std::int64_t x = 0; x < p.w; x += 2) {  // voxel x is q = 1 of its corner, x + 1 q = 0
          to[x] = in[x / 2 * channel.step + 1] + b[1];
          to[x + 1] = in[(x / 2 + 1) * channel.step] + b[1];
        }
        to[0] += b[0] - b[1];
        to[p.w - 1] += b[2] - b[1];
      }
    }
  });
}

Block FlowEnd::collect(const float* grad, const dnnl::memory::desc& desc) const {
  Block out(is_blocked(desc) ? desc : blocked_desc(desc.dims(), 8));
  Size full = size_of(out);
  for (std::size_t a = 2; a < full.size(); ++a) full[a] = 2 * (full[a] - 1);
  const Places p(full);
  const int cube = power(2, dims_);
  const Blocked to(out);
  const std::int64_t padded = out.desc().data.padded_dims[1];
  parallel_ranges(p.n * p.cd * p.ch, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t cy = row % p.ch, cz = row / p.ch % p.cd, item = row / (p.ch * p.cd);
      for (std::int64_t c = 0; c < padded; c += 2) {
        const Channel channel = to.channel(item, c, p.corners());
        float* pair = channel.start + (cz * p.ch + cy) * p.cw * channel.step;
        const std::int64_t o = c / cube, q = c % cube;
        const std::int64_t z = p.flat ? 0 : 2 * cz - 1 + q / 4, y = 2 * cy - 1 + q / 2 % 2;
        if (o >= out_ || z < 0 || z >= p.d || y < 0 || y >= p.h) {
          for (std::int64_t j = 0; j < p.cw; ++j, pair += channel.step) pair[0] = pair[1] = 0.0F;
          continue;
        }
        const float* from = grad + ((item * out_ + o) * p.d + z) * p.h * p.w + y * p.w;
        pair[0] = 0.0F;
        for (std::int64_t j = 0; j + 1 < p.cw; ++j, pair += channel.step) {
          pair[1] = from[2 * j];
          pair[channel.step] = from[2 * j + 1];
        }
        pair[1] = 0.0F;
      }
    }
  });
  if (out.desc() == desc) return out;
  Block moved(desc);
  reorder(out.view, moved.view);
  return moved;
}

void FlowEnd::gradients(const FlowEndWeights& weights, const std::vector<float>& grad_kernel,
                        const float* grad, const Size& grad_size,
                        const FlowEndGradients& out) const {
  const int cube = power(2, dims_), taps = power(3, dims_);
  const Places p(grad_size);
  // Sums of dE/df over the voxels of a class: a row at a time, then all rows in their order.
  const std::int64_t rows = p.n * out_ * p.d * p.h;
  std::vector<double> parts(static_cast<std::size_t>(3 * rows));
  parallel_ranges(rows, 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const float* g = grad + row * p.w;
      double lanes[8] = {};
      for (std::int64_t x = 1; x < p.w - 1; ++x) lanes[x % 8] += g[x];
      double* part = parts.data() + 3 * row;
      part[0] = g[0];
      part[1] = 0;
      for (const double lane : lanes) part[1] += lane;
      part[2] = g[p.w - 1];
    }
  });
  std::vector<double> sums(static_cast<std::size_t>(out_ * taps), 0.0);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t y = row % p.h, z = row / p.h % p.d, o = row / (p.h * p.d) % out_;
    const int row_class = (p.flat ? 0 : 9 * class_of(z, p.d)) + 3 * class_of(y, p.h);
    for (int x = 0; x < 3; ++x) sums[o * taps + row_class + x] += parts[3 * row + x];
  }

  std::vector<double> inside(static_cast<std::size_t>(out_ * taps), 0.0);  // (out, k)
  for_each_inside(dims_, [&](int of_class, int k) {
    for (std::int64_t o = 0; o < out_; ++o) inside[o * taps + k] += sums[o * taps + of_class];
  });
  std::fill_n(out.up, in_ * middle_ * cube, 0.0F);
  std::vector<double> up_bias(static_cast<std::size_t>(middle_), 0.0);
  for (std::int64_t o = 0; o < out_; ++o) {
    double all = 0;
    for (int of_class = 0; of_class < taps; ++of_class) all += sums[o * taps + of_class];
    out.flow_bias[o] = static_cast<float>(all);
    for (std::int64_t m = 0; m < middle_; ++m)
      for (int k = 0; k < taps; ++k) {
        const std::int64_t at = (o * middle_ + m) * taps + k;
        out.flow[at] = static_cast<float>(weights.up_bias[m] * inside[o * taps + k]);
        up_bias[m] += weights.flow[at] * inside[o * taps + k];
      }
  }
  for (std::int64_t m = 0; m < middle_; ++m) out.up_bias[m] = static_cast<float>(up_bias[m]);
  for_each_tap(dims_, [&](int q, int k, int r, int s) {
    for (std::int64_t o = 0; o < out_; ++o)
      for (std::int64_t c = 0; c < in_; ++c) {
        const float g = grad_kernel[((o * cube + q) * in_ + c) * cube + r];
        for (std::int64_t m = 0; m < middle_; ++m) {
          out.flow[(o * middle_ + m) * taps + k] += g * weights.up[(c * middle_ + m) * cube + s];
          out.up[(c * middle_ + m) * cube + s] += g * weights.flow[(o * middle_ + m) * taps + k];
        }
      }
  });
}

}  // namespace aladdin
