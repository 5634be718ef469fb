#include "aladdin/evaluate/folds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "aladdin/core/linear.h"
#include "aladdin/core/parallel.h"
#include "aladdin/kernels/jacobian.h"

namespace aladdin::evaluate {
namespace {

using kernels::Shape;

// NaN is never > 0 and so counts as folded.
double folded_part(double d) { return std::isnan(d) ? 0 : std::max(0.0, -d); }

class Cells {
 public:
  Cells(const float* u, const Shape& shape) : u_(u), shape_(shape) {}

  // The folded volume of the cell whose lowest voxel is (i, j, k); sets `folded`.
  double volume(std::int64_t i, std::int64_t j, std::int64_t k, bool& folded) const {
    const int corners = shape_.dims == 3 ? 8 : 4;
    Vec3 at[8];
    for (int c = 0; c < corners; ++c) at[c] = point(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
    double sum = 0;
    const auto add = [&](double d) {
      folded = folded || !(d > 0);
      sum += folded_part(d);
    };
    for (int c = 0; c < corners; ++c) {
      // Differences along the three edges that leave this corner, each in its axis's own direction.
      Vec3 edge[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (int axis = 0; axis < shape_.dims; ++axis)
        edge[axis] = at[c | 1 << axis] - at[c & ~(1 << axis)];
      add(determinant(Mat3{edge[0], edge[1], edge[2]}));
    }
    if (shape_.dims == 2) return 0.5 * sum / 2;
    add(determinant(Mat3{at[3] - at[0], at[6] - at[0], at[5] - at[0]}));
    add(determinant(Mat3{at[1] - at[7], at[4] - at[7], at[2] - at[7]}));
    return 0.5 * sum / 6;
  }

 private:
  Vec3 point(std::int64_t i, std::int64_t j, std::int64_t k) const {
    Vec3 x{double(i), double(j), double(k)};
    const std::int64_t v = i + shape_.w * (j + shape_.h * k);
    for (int c = 0; c < shape_.dims; ++c) x[c] += u_[c * shape_.voxels() + v];
    return x;
  }

  const float* u_;
  Shape shape_;
};

void count_cells(const float* u, const Shape& shape, Folds& folds) {
  const std::int64_t planes = shape.dims == 3 ? shape.d - 1 : 1, rows = shape.h - 1,
                     columns = shape.w - 1;
  folds.cells = planes * rows * columns;
  if (folds.cells == 0) return;
  const Cells cells(u, shape);
  std::vector<double> volume(planes * rows);
  std::vector<std::int64_t> count(planes * rows);
  parallel_ranges(planes * rows, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t i = 0; i < columns; ++i) {
        bool folded = false;
        volume[row] += cells.volume(i, row % rows, row / rows, folded);
        count[row] += folded;
      }
  });
  for (std::int64_t row = 0; row < planes * rows; ++row) {
    folds.volume_vox += volume[row];
    folds.folded_cells += count[row];
  }
}

void count_voxels(const float* u, const Shape& shape, Folds& folds) {
  folds.voxels = shape.voxels();
  std::vector<float> det(static_cast<std::size_t>(shape.voxels()));
  kernels::jacobian_determinant(u, det.data(), shape);
  folds.smallest = folds.largest = det.front();
  double sum = 0, squares = 0;
  std::int64_t positive = 0;
  for (const float d : det) {
    if (std::isnan(d)) {
      ++folds.negative;
      continue;
    }
    folds.smallest = std::min(folds.smallest, double(d));
    folds.largest = std::max(folds.largest, double(d));
    folds.negative += d < 0;
    if (!(d > 0)) continue;
    const double l = std::log(double(d));
    sum += l;
    squares += l * l;
    ++positive;
  }
  folds.not_positive = folds.voxels - positive;
  if (positive == 0) return;
  const double mean = sum / double(positive);
  folds.log_sd = std::sqrt(std::max(0.0, squares / double(positive) - mean * mean));
}

}  // namespace

Folds count_folds(const float* u, const Shape& shape) {
  Shape one = shape;
  one.n = 1;
  Folds folds;
  count_voxels(u, one, folds);
  count_cells(u, one, folds);
  return folds;
}

std::vector<std::uint8_t> folded_cells(const float* u, const Shape& shape) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(shape.voxels()));
  const std::int64_t planes = shape.dims == 3 ? shape.d - 1 : 1, rows = shape.h - 1;
  if (planes * rows <= 0) return out;
  const Cells cells(u, shape);
  parallel_ranges(planes * rows, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t i = 0; i + 1 < shape.w; ++i) {
        bool folded = false;
        cells.volume(i, row % rows, row / rows, folded);
        out[static_cast<std::size_t>(i + shape.w * (row % rows + shape.h * (row / rows)))] = folded;
      }
  });
  return out;
}

}  // namespace aladdin::evaluate
