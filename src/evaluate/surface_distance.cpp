#include "aladdin/evaluate/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aladdin/core/parallel.h"

namespace aladdin::evaluate {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

// The part of the grid where either map has the structure.
struct Box {
  Size3 low{}, high{-1, -1, -1};

  bool empty() const { return high[0] < low[0]; }
  std::int64_t size(int axis) const { return high[axis] - low[axis] + 1; }
  std::int64_t voxels() const { return size(0) * size(1) * size(2); }
  void include(const Size3& at) {
    if (empty()) {
      low = high = at;
      return;
    }
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
    }
  }
};

std::vector<std::int64_t> surface_in(const LabelIndex* map, const Grid& grid, const Box& box,
                                     LabelIndex label) {
  const std::int64_t stride[3] = {1, grid.size[0], grid.size[0] * grid.size[1]};
  std::vector<std::int64_t> surface;
  for (std::int64_t b = 0; b < box.voxels(); ++b) {
    const Size3 at{box.low[0] + b % box.size(0), box.low[1] + b / box.size(0) % box.size(1),
                   box.low[2] + b / (box.size(0) * box.size(1))};
    const LabelIndex* here = map + grid.offset(at[0], at[1], at[2]);
    if (*here != label) continue;
    bool border = false;
    for (int axis = 0; axis < grid.dims; ++axis)
      border = border || at[axis] == 0 || at[axis] == grid.size[axis] - 1 ||
               here[-stride[axis]] != label || here[stride[axis]] != label;
    if (border) surface.push_back(b);
  }
  return surface;
}

// out[i] = min_j (step (i - j))^2 + f[j]: the lower envelope of parabolas (Felzenszwalb and
// Huttenlocher 2012).
class Envelope {
 public:
  void run(std::vector<double>& f, double step) {
    const auto n = static_cast<std::int64_t>(f.size());
    at_.clear();
    from_.clear();
    const double area = step * step;
    for (std::int64_t q = 0; q < n; ++q) {
      if (f[q] == kFar) continue;
      double start = -kFar;
      while (!at_.empty()) {
        const std::int64_t p = at_.back();
        start = ((f[q] - f[p]) / area + double(q * q - p * p)) / double(2 * (q - p));
        if (start > from_.back()) break;
        at_.pop_back();
        from_.pop_back();
        start = -kFar;
      }
      at_.push_back(q);
      from_.push_back(start);
    }
    if (at_.empty()) return;
    out_.resize(f.size());
    std::size_t k = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      while (k + 1 < at_.size() && from_[k + 1] < double(i)) ++k;
      out_[i] = area * double((i - at_[k]) * (i - at_[k])) + f[at_[k]];
    }
    f = out_;
  }

 private:
  std::vector<std::int64_t> at_;
  std::vector<double> from_, out_;
};

// Squared distance in mm^2 of every voxel of the box to the surface.
std::vector<double> squared_distance(const std::vector<std::int64_t>& surface, const Box& box,
                                     const Grid& grid) {
  std::vector<double> map(static_cast<std::size_t>(box.voxels()), kFar);
  for (const std::int64_t b : surface) map[b] = 0;
  Envelope envelope;
  std::vector<double> line;
  std::int64_t stride = 1;
  for (int axis = 0; axis < grid.dims; ++axis) {
    const std::int64_t n = box.size(axis);
    line.resize(static_cast<std::size_t>(n));
    for (std::int64_t l = 0; l < box.voxels() / n; ++l) {
      double* first = map.data() + l % stride + l / stride * stride * n;
      for (std::int64_t i = 0; i < n; ++i) line[i] = first[i * stride];
      envelope.run(line, grid.spacing[axis]);
      for (std::int64_t i = 0; i < n; ++i) first[i * stride] = line[i];
    }
    stride *= n;
  }
  return map;
}

std::vector<double> distances(const std::vector<std::int64_t>& from,
                              const std::vector<double>& squared) {
  std::vector<double> d;
  for (const std::int64_t b : from) d.push_back(std::sqrt(squared[b]));
  std::sort(d.begin(), d.end());
  return d;
}

double percentile(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<std::optional<SurfaceDistance>> surface_distances(const LabelIndex* predicted,
                                                              const LabelIndex* truth,
                                                              const Grid& grid, int labels) {
  require_indices(predicted, grid.voxels(), labels);
  require_indices(truth, grid.voxels(), labels);
  std::vector<Box> boxes(labels);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    if (predicted[v] == 0 && truth[v] == 0) continue;
    const Size3 at{v % grid.size[0], v / grid.size[0] % grid.size[1],
                   v / (grid.size[0] * grid.size[1])};
    boxes[predicted[v]].include(at);
    boxes[truth[v]].include(at);
  }
  std::vector<std::optional<SurfaceDistance>> all(labels);
  parallel_for(labels - 1, [&](std::int64_t task) {
    const auto label = static_cast<LabelIndex>(task + 1);
    const Box& box = boxes[label];
    if (box.empty()) return;
    const auto a = surface_in(predicted, grid, box, label), b = surface_in(truth, grid, box, label);
    if (a.empty() || b.empty()) return;
    const auto from_a = distances(a, squared_distance(b, box, grid));
    const auto from_b = distances(b, squared_distance(a, box, grid));
    double sum = 0;
    for (const double d : from_a) sum += d;
    for (const double d : from_b) sum += d;
    all[label] = SurfaceDistance{sum / double(a.size() + b.size()),
                                 std::max(percentile(from_a, 0.95), percentile(from_b, 0.95)),
                                 std::max(from_a.back(), from_b.back())};
  });
  return all;
}

}  // namespace aladdin::evaluate
