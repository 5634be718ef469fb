#include "aladdin/synth/shape_variation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aladdin/core/parallel.h"
#include "aladdin/synth/bones.h"
#include "aladdin/synth/planted.h"

namespace aladdin::synth {
namespace {

constexpr Vec3 kFieldCentre{0, 1, 9};  // design: more femur than tibia is imaged
constexpr double kSlice_x =
    -15.0;  // design: the plane of a 2-D cohort, with both shafts and patella

constexpr double kKnot_mm = 22.0;
constexpr int kKnots = 17;  // along each axis: covers ± 150 mm around the joint
constexpr double kFirstKnot = -0.5 * (kKnots - 1) * kKnot_mm;

constexpr double kTable_mm = 3.0;

double bounded_normal(Rng& rng) { return std::clamp(rng.normal(), -2.0, 2.0); }

Mat3 rotation(const Vec3& degrees) {
  const Vec3 w = (std::numbers::pi / 180.0) * degrees;
  return matrix_exponential({{{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}}});
}

std::size_t knot(int i, int j, int k) {
  const auto inside = [](int at) {
    return static_cast<std::size_t>(std::clamp(at, 0, kKnots - 1));
  };
  return 3 * (inside(i) + kKnots * (inside(j) + kKnots * inside(k)));
}

// Cubic B-spline weights of four knots and where these lie along their axis, held at the border.
struct SplineWeights {
  double weight[4];
  std::size_t knot[4];
};

SplineWeights spline_weights(double coordinate) {
  const double t = (coordinate - kFirstKnot) / kKnot_mm;
  const double whole = std::floor(t), u = t - whole, c = 1 - u;
  SplineWeights spline{{c * c * c / 6, (3 * u * u * u - 6 * u * u + 4) / 6,
                        (3 * c * c * c - 6 * c * c + 4) / 6, u * u * u / 6},
                       {}};
  for (int n = 0; n < 4; ++n)
    spline.knot[n] =
        static_cast<std::size_t>(std::clamp(static_cast<int>(whole) - 1 + n, 0, kKnots - 1));
  return spline;
}

// The box around the design points of a grid's corners, seen through `to_atlas`.
template <class ToAtlas>
std::pair<Vec3, Vec3> design_box(const Grid& grid, const Embedding& embedding, ToAtlas&& to_atlas) {
  Vec3 low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index{};
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = corner >> axis & 1 ? static_cast<double>(grid.size[axis] - 1) : 0.0;
    const Vec3 point = embedding.to_design(to_atlas(grid.to_point(index)));
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  }
  return {low, high};
}

template <class Map>
Displacement tabulate(const Grid& grid, Map&& map) {
  Displacement field(grid);
  const Mat3 axes = grid.index_to_point();
  parallel_for(grid.size[1] * grid.size[2], [&](std::int64_t row) {
    const std::int64_t j = row % grid.size[1], k = row / grid.size[1];
    for (std::int64_t i = 0; i < grid.size[0]; ++i) {
      const Vec3 index{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
      const Vec3 point = grid.origin + axes * index;
      const Vec3 moved = map(point) - point;
      // Half a micrometre is finer than any use of it, and whole steps compress well.
      for (int c = 0; c < grid.dims; ++c)
        field.vectors.component(c)[grid.offset(i, j, k)] =
            static_cast<float>(std::round(moved[c] * 2048.0) / 2048.0);
    }
  });
  return field;
}

}  // namespace

Vec3 Embedding::to_design(const Vec3& a) const {
  if (dims == 2)
    return {kSlice_x, a[0] / squeeze[1] + kFieldCentre[1], -a[1] / squeeze[2] + kFieldCentre[2]};
  return {a[0] / squeeze[0] + kFieldCentre[0], a[1] / squeeze[1] + kFieldCentre[1],
          a[2] / squeeze[2] + kFieldCentre[2]};
}

Vec3 Embedding::to_atlas(const Vec3& d) const {
  if (dims == 2)
    return {(d[1] - kFieldCentre[1]) * squeeze[1], -(d[2] - kFieldCentre[2]) * squeeze[2], 0};
  return {(d[0] - kFieldCentre[0]) * squeeze[0], (d[1] - kFieldCentre[1]) * squeeze[1],
          (d[2] - kFieldCentre[2]) * squeeze[2]};
}

Embedding embedding_for(const Vec3& extent_mm, int dims) {
  const double depth = std::min(1.0, extent_mm[dims - 2] / kKneeDepth_mm);
  const double height = std::min(1.0, extent_mm[dims - 1] / kKneeHeight_mm);
  const double width = dims == 2 ? 1.0 : std::min(1.0, extent_mm[0] / (2 * kBoneHalfWidth_mm));
  return {dims, {width, depth, height}};
}

Affine random_affine(Rng& rng, double strength, const Embedding& embedding) {
  const auto draw = [&](double sd) { return strength * sd * bounded_normal(rng); };
  Vec3 degrees{draw(5.0), draw(4.0), draw(5.0)};
  const double size = draw(0.055);
  const Vec3 scale{std::exp(size + draw(0.03)), std::exp(size + draw(0.03)),
                   std::exp(size + draw(0.03))};
  const Mat3 shear{{{1, draw(0.03), draw(0.03)}, {0, 1, draw(0.03)}, {0, 0, 1}}};
  const Vec3 shift{draw(3.0) * embedding.squeeze[0], draw(4.5) * embedding.squeeze[1],
                   draw(4.5) * embedding.squeeze[2]};
  if (embedding.dims == 3) return {rotation(degrees) * shear * diagonal(scale), shift, 3};
  // In the sagittal plane, whose atlas axes are (y, -z) of the design.
  degrees[1] = degrees[2] = 0;
  const Mat3 m = rotation(degrees) * shear * diagonal(scale);
  return {
      {{{m[1][1], -m[1][2], 0}, {-m[2][1], m[2][2], 0}, {0, 0, 1}}}, {shift[1], -shift[2], 0}, 2};
}

SmoothVelocity::SmoothVelocity(Rng& rng, double strength, int dims)
    : dims_(dims), coefficients_(3ULL * kKnots * kKnots * kKnots) {
  // White coefficients, then the same smoothed once along each axis for the broad part.
  std::vector<double> white(coefficients_.size());
  for (double& value : white) value = bounded_normal(rng);
  std::vector<double> broad = white;
  for (int pass = 0; pass < 2; ++pass)
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double> from = broad;
      const int di = axis == 0, dj = axis == 1, dk = axis == 2;
      for (int k = 0; k < kKnots; ++k)
        for (int j = 0; j < kKnots; ++j)
          for (int i = 0; i < kKnots; ++i)
            for (int c = 0; c < 3; ++c)
              broad[knot(i, j, k) + c] = 0.25 * from[knot(i - di, j - dj, k - dk) + c] +
                                         0.5 * from[knot(i, j, k) + c] +
                                         0.25 * from[knot(i + di, j + dj, k + dk) + c];
    }
  for (std::size_t n = 0; n < white.size(); ++n)
    coefficients_[n] = strength * (2.2 * white[n] + 8.0 * broad[n]);
}

Vec3 SmoothVelocity::operator()(const Vec3& p) const {
  const SplineWeights wx = spline_weights(p[0]), wy = spline_weights(p[1]),
                      wz = spline_weights(p[2]);
  double x = 0, y = 0, z = 0;
  for (int c = 0; c < 4; ++c)
    for (int b = 0; b < 4; ++b) {
      const double outer = wy.weight[b] * wz.weight[c];
      const double* row = &coefficients_[3 * kKnots * (wy.knot[b] + kKnots * wz.knot[c])];
      for (int a = 0; a < 4; ++a) {
        const double weight = wx.weight[a] * outer;
        const double* value = row + 3 * wx.knot[a];
        x += weight * value[0];
        y += weight * value[1];
        z += weight * value[2];
      }
    }
  return {dims_ == 2 ? 0.0 : x, y, z};
}

Vec3 SmoothVelocity::flow(const Vec3& design, double sign) const {
  constexpr int kSteps = 2;
  const double h = sign / kSteps;
  Vec3 p = design;
  for (int step = 0; step < kSteps; ++step) {
    const Vec3 k1 = (*this)(p), k2 = (*this)(p + (h / 2) * k1), k3 = (*this)(p + (h / 2) * k2);
    const Vec3 k4 = (*this)(p + h * k3);
    p = p + (h / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return p;
}

FlowTable::FlowTable(const SmoothVelocity& velocity, double sign, const Vec3& low, const Vec3& high)
    : low_(low) {
  for (int axis = 0; axis < 3; ++axis)
    size_[axis] = static_cast<std::int64_t>(std::ceil((high[axis] - low[axis]) / kTable_mm)) + 1;
  displacement_.resize(static_cast<std::size_t>(3 * size_[0] * size_[1] * size_[2]));
  parallel_for(size_[1] * size_[2], [&](std::int64_t row) {
    for (std::int64_t i = 0; i < size_[0]; ++i) {
      const Vec3 steps{static_cast<double>(i), static_cast<double>(row % size_[1]),
                       static_cast<double>(row / size_[1])};
      const Vec3 from = low_ + kTable_mm * steps;
      const Vec3 moved = velocity.flow(from, sign) - from;
      for (int c = 0; c < 3; ++c)
        displacement_[3 * (i + size_[0] * row) + c] = static_cast<float>(moved[c]);
    }
  });
}

Vec3 FlowTable::operator()(const Vec3& p) const {
  std::int64_t at[3], next[3];
  float t[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double last = static_cast<double>(size_[axis] - 1);
    const double coordinate = std::clamp((p[axis] - low_[axis]) / kTable_mm, 0.0, last);
    at[axis] = std::min(static_cast<std::int64_t>(coordinate), size_[axis] - 1);
    next[axis] = std::min(at[axis] + 1, size_[axis] - 1);
    t[axis] = static_cast<float>(coordinate - static_cast<double>(at[axis]));
  }
  float sum[3] = {0, 0, 0};
  for (int corner = 0; corner < 8; ++corner) {
    const bool a = corner & 1, b = corner & 2, c = corner & 4;
    const float weight = (a ? t[0] : 1 - t[0]) * (b ? t[1] : 1 - t[1]) * (c ? t[2] : 1 - t[2]);
    const float* value =
        &displacement_[3 * ((a ? next[0] : at[0]) +
                            size_[0] * ((b ? next[1] : at[1]) + size_[1] * (c ? next[2] : at[2])))];
    for (int axis = 0; axis < 3; ++axis) sum[axis] += weight * value[axis];
  }
  return {p[0] + sum[0], p[1] + sum[1], p[2] + sum[2]};
}

namespace {

FlowTable table_for(const SmoothVelocity& velocity, double sign, std::pair<Vec3, Vec3> box) {
  return FlowTable(velocity, sign, box.first, box.second);
}

}  // namespace

TrueMap::TrueMap(const Embedding& embedding, const Affine& affine, const SmoothVelocity& velocity,
                 const Grid& atlas, const Grid& native, double planted_rate)
    : embedding_(embedding),
      affine_(affine),
      inverse_affine_(inverse(affine)),
      atlas_(atlas),
      native_(native),
      planted_rate_(planted_rate),
      forward_(table_for(velocity, 1,
                         design_box(atlas, embedding, [](const Vec3& point) { return point; }))),
      backward_(table_for(velocity, -1, design_box(native, embedding, inverse_affine_))) {}

Vec3 TrueMap::atlas_to_native(const Vec3& atlas) const {
  const Vec3 planted = planted_map(embedding_.to_design(atlas), planted_rate_, embedding_.dims);
  return affine_(embedding_.to_atlas(forward_(planted)));
}

Vec3 TrueMap::native_to_atlas(const Vec3& native) const {
  const Vec3 unplanted = planted_map(backward_(embedding_.to_design(inverse_affine_(native))),
                                     -planted_rate_, embedding_.dims);
  return embedding_.to_atlas(unplanted);
}

Displacement TrueMap::pull_native_to_atlas() const {
  return tabulate(atlas_, [this](const Vec3& point) { return atlas_to_native(point); });
}

Displacement TrueMap::pull_atlas_to_native() const {
  return tabulate(native_, [this](const Vec3& point) { return native_to_atlas(point); });
}

}  // namespace aladdin::synth
