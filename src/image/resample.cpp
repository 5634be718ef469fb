#include "aladdin/image/resample.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/image/ballot.h"
#include "aladdin/image/sample.h"

namespace aladdin {
namespace {

constexpr double kSnap = 1e-4;   // voxels: below this a point counts as on the voxel
constexpr double kCoarse = 1.5;  // from this ratio on smooth, or vote with more points
constexpr std::int64_t kRowsATask = 8;

// Finds the source voxels around a target index.
class Lookup {
 public:
  Lookup(const Grid& source, const Grid& target, const Vec3& shift) : size_(source.size) {
    if (source.dims != target.dims)
      fail("a {}-D image cannot be resampled to a {}-D grid", source.dims, target.dims);
    const Mat3 to_index = source.point_to_index();
    matrix_ = to_index * target.index_to_point();
    offset_ = to_index * (target.origin + shift - source.origin);
  }

  // Nothing where the point is outside the field of view.
  std::optional<Cell> find(const Vec3& target_index) const {
    Vec3 index = matrix_ * target_index + offset_;
    for (int axis = 0; axis < 3; ++axis)
      if (!snap(index[axis], size_[axis])) return std::nullopt;
    return cell_of(size_, index);
  }

 private:
  static bool snap(double& index, std::int64_t size) {
    const double nearest = std::round(index);
    if (std::abs(index - nearest) < kSnap) index = nearest;
    return index >= -0.5 - kSnap && index <= static_cast<double>(size) - 0.5 + kSnap;
  }

  Size3 size_;
  Mat3 matrix_;
  Vec3 offset_;
};

// Calls use(voxel, its index) for every voxel, rows in parallel.
template <class Use>
void for_each_voxel(const Grid& grid, Use&& use) {
  parallel_ranges(grid.size[1] * grid.size[2], kRowsATask,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t row = begin; row < end; ++row)
                      for (std::int64_t i = 0; i < grid.size[0]; ++i)
                        use(row * grid.size[0] + i,
                            Vec3{static_cast<double>(i), static_cast<double>(row % grid.size[1]),
                                 static_cast<double>(row / grid.size[1])});
                  });
}

// How much coarser the target is along each axis of the source.
Vec3 coarseness(const Grid& source, const Grid& target) {
  const auto from = nearest_axes(source), to = nearest_axes(target);
  Vec3 ratio{1, 1, 1};
  for (int world = 0; world < source.dims; ++world)
    ratio[from[world]] = target.spacing[to[world]] / source.spacing[from[world]];
  return ratio;
}

void smooth_axis(Image& image, int axis, double sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> kernel(2 * radius + 1);
  double sum = 0;
  for (int n = -radius; n <= radius; ++n)
    sum += kernel[n + radius] = std::exp(-0.5 * n * n / (sigma * sigma));
  for (auto& weight : kernel) weight /= sum;
  const auto& size = image.grid.size;
  const std::int64_t length = size[axis];
  const std::int64_t stride = axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1];
  const int other = axis == 0 ? 1 : 0, last = axis == 2 ? 1 : 2;
  const auto stride_of = [&](int a) { return a == 0 ? 1 : a == 1 ? size[0] : size[0] * size[1]; };
  parallel_for(size[last], [&](std::int64_t outer) {
    std::vector<double> line(length + 2 * radius);
    for (std::int64_t inner = 0; inner < size[other]; ++inner) {
      float* values = image.values.data() + outer * stride_of(last) + inner * stride_of(other);
      for (std::int64_t n = -radius; n < length + radius; ++n)
        line[n + radius] = values[std::clamp<std::int64_t>(n, 0, length - 1) * stride];
      for (std::int64_t n = 0; n < length; ++n) {
        double total = 0;
        for (int w = 0; w <= 2 * radius; ++w) total += kernel[w] * line[n + w];
        values[n * stride] = static_cast<float>(total);
      }
    }
  });
}

// Nothing, or a smoothed copy.
std::optional<Image> smoothed(const Image& image, const Grid& target) {
  const Vec3 ratio = coarseness(image.grid, target);
  std::optional<Image> copy;
  for (int axis = 0; axis < image.grid.dims; ++axis) {
    if (ratio[axis] <= kCoarse) continue;
    if (!copy) copy = image;
    smooth_axis(*copy, axis, std::sqrt((ratio[axis] * ratio[axis] - 1) / (8 * std::log(2.0))));
  }
  return copy;
}

// Where in a target voxel labels are asked for: its centre, or ceil(r) points along coarse axes.
std::vector<Vec3> voting_points(const Grid& source, const Grid& target) {
  const Vec3 ratio = coarseness(source, target);
  const auto from = nearest_axes(source), to = nearest_axes(target);
  std::array<int, 3> count{1, 1, 1};
  for (int world = 0; world < target.dims; ++world)
    if (const double r = ratio[from[world]]; r > kCoarse)
      count[to[world]] = static_cast<int>(std::ceil(r - 1e-6));
  const auto place = [&](int axis, int n) { return (n + 0.5) / count[axis] - 0.5; };
  std::vector<Vec3> points;
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i) points.push_back({place(0, i), place(1, j), place(2, k)});
  return points;
}

}  // namespace

std::array<int, 3> nearest_axes(const Grid& grid) {
  std::array<int, 3> best{0, 1, 2}, order{0, 1, 2};
  double most = -1;
  do {
    if (grid.dims == 2 && order[2] != 2) continue;
    double sum = 0;
    for (int world = 0; world < 3; ++world) sum += std::abs(grid.direction[world][order[world]]);
    if (sum > most + 1e-9) {
      most = sum;
      best = order;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

Image resample(const Image& image, const Grid& grid, const Vec3& shift, float outside) {
  const Lookup lookup(image.grid, grid, shift);
  const std::optional<Image> copy = smoothed(image, grid);
  const Image& source = copy ? *copy : image;
  Image out(grid);
  for_each_voxel(grid, [&](std::int64_t v, const Vec3& index) {
    const auto cell = lookup.find(index);
    out.values[v] = cell ? static_cast<float>(linear_at(source.values.data(), *cell)) : outside;
  });
  return out;
}

Labels resample(const Labels& labels, const Grid& grid, const Vec3& shift, std::int32_t outside) {
  const Lookup lookup(labels.grid, grid, shift);
  constexpr double kEqual = 1e-9;
  const std::vector<Vec3> points = voting_points(labels.grid, grid);
  const auto tie = points.size() > 1 ? Ballot::Tie::first : Ballot::Tie::smallest;
  Labels out(grid);
  for_each_voxel(grid, [&](std::int64_t v, const Vec3& index) {
    thread_local Ballot ballot;
    ballot.clear();
    for (const auto& point : points) {
      if (const auto cell = lookup.find(index + point))
        for_each_vote(labels.values.data(), *cell,
                      [](std::int32_t label, double weight) { ballot.vote(label, weight); });
      else
        ballot.vote(outside, 1);
    }
    out.values[v] = ballot.winner(tie, kEqual);
  });
  return out;
}

Labels field_of_view(const Grid& source, const Grid& grid, const Vec3& shift) {
  const Lookup lookup(source, grid, shift);
  Labels out(grid);
  for_each_voxel(grid, [&](std::int64_t v, const Vec3& index) {
    out.values[v] = lookup.find(index).has_value();
  });
  return out;
}

bool covers(const Grid& source, const Grid& grid, const Vec3& shift) {
  const Lookup lookup(source, grid, shift);
  for (int corner = 0; corner < 8; ++corner) {  // the field of view is convex
    Vec3 index;
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis & 1) ? double(grid.size[axis] - 1) : 0;
    if (!lookup.find(index)) return false;
  }
  return true;
}

}  // namespace aladdin
