#include "aladdin/pair/linear_term.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/kernels/mutual_information.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/transform/sample.h"

namespace aladdin {
namespace {

// Of the smaller of the two, in voxels of the fixed image: less in common is no match.
constexpr double kLeastShared = 0.25;

// What is compared of a few rows: the two values, the slope of the moving image in mm, and where in the frame.
struct Samples {
  std::vector<float> moving, fixed;
  std::vector<std::array<float, 3>> slope, at;
};

double measure(const Samples& s, float* grad, const LossConfig& loss) {
  const kernels::Shape shape{1, 1, 1, static_cast<std::int64_t>(s.moving.size()), 3};
  switch (loss.similarity) {
    case SimilarityKind::mse:
      return kernels::mse(s.moving.data(), s.fixed.data(), grad, nullptr, shape);
    case SimilarityKind::ncc:
      return kernels::ncc(s.moving.data(), s.fixed.data(), grad, nullptr, shape);
    case SimilarityKind::mi:
      return kernels::mutual_information(s.moving.data(), s.fixed.data(), grad, shape, loss.bins);
    default:
      throw Error(fmt::format("affine maps are not found by the similarity '{}', expected mse, "
                              "ncc or mi",
                              name_of(loss.similarity)),
                  ExitCode::usage);
  }
}

std::int64_t counted(const MaskedImage& image) {
  if (image.mask.values.empty()) return image.image.grid.voxels();
  return std::ranges::count_if(image.mask.values, [](std::int32_t v) { return v != 0; });
}

double voxel_volume(const Grid& grid) {
  double volume = 1;
  for (int axis = 0; axis < grid.dims; ++axis) volume *= grid.spacing[axis];
  return volume;
}

class Sampler {
 public:
  Sampler(const MaskedImage& fixed, const MaskedImage& moving, const Affine& map,
          const MotionFrame& frame)
      : fixed_(fixed),
        moving_(moving),
        frame_(frame),
        to_index_(
            compose(to_indices(moving.image.grid), compose(map, to_points(fixed.image.grid)))),
        to_mm_(transpose(moving.image.grid.point_to_index())),
        // A motion of the frame moves the sampled point by map.matrix D, or by -D(map x).
        slope_(frame.of_inverse ? kIdentity3 : transpose(map.matrix)),
        place_(compose(frame.of_inverse ? map : translation({0, 0, 0}, map.dims),
                       to_points(fixed.image.grid))) {}

  void add_row(std::int64_t j, std::int64_t k, Samples& out) const {
    const auto& size = fixed_.image.grid.size;
    const auto& there = moving_.image.grid.size;
    const double sign = frame_.of_inverse ? -1 : 1;
    std::int64_t v = fixed_.image.grid.offset(0, j, k);
    for (std::int64_t i = 0; i < size[0]; ++i, ++v) {
      if (!fixed_.counts(v)) continue;
      const Vec3 x{double(i), double(j), double(k)}, index = to_index_(x);
      if (!inside_buffer(there, index)) continue;
      const Cell cell = cell_of(there, index);
      if (!all_count(cell)) continue;
      Vec3 slope;
      out.moving.push_back(float(linear_with_gradient(moving_.image.values.data(), cell, slope)));
      out.fixed.push_back(fixed_.image.values[v]);
      const Vec3 along = sign * (slope_ * (to_mm_ * slope)), from = place_(x) - frame_.centre;
      out.slope.push_back({float(along[0]), float(along[1]), float(along[2])});
      out.at.push_back({float(from[0] / frame_.radius), float(from[1] / frame_.radius),
                        float(from[2] / frame_.radius)});
    }
  }

 private:
  // What the mask leaves out is not to be interpolated.
  bool all_count(const Cell& cell) const {
    if (moving_.mask.values.empty()) return true;
    for (int corner = 0; corner < 8; ++corner) {
      std::int64_t at = cell.at;
      for (int axis = 0; axis < 3; ++axis)
        if (corner >> axis & 1) at += cell.step[axis];
      if (!moving_.counts(at)) return false;
    }
    return true;
  }

  const MaskedImage &fixed_, &moving_;
  MotionFrame frame_;
  Affine to_index_;
  Mat3 to_mm_, slope_;
  Affine place_;
};

Samples sample_all(const MaskedImage& fixed, const MaskedImage& moving, const Affine& map,
                   const MotionFrame& frame) {
  const Sampler sampler(fixed, moving, map, frame);
  const auto& size = fixed.image.grid.size;
  constexpr std::int64_t kRows = 64;
  const std::int64_t rows = size[1] * size[2];
  std::vector<Samples> parts(static_cast<std::size_t>((rows + kRows - 1) / kRows));
  parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t part) {
    for (std::int64_t row = part * kRows; row < std::min(rows, (part + 1) * kRows); ++row)
      sampler.add_row(row % size[1], row / size[1], parts[part]);
  });
  Samples all;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const Samples& part : parts) {
    append(all.moving, part.moving);
    append(all.fixed, part.fixed);
    append(all.slope, part.slope);
    append(all.at, part.at);
  }
  return all;
}

// d E / d residual^2, for the curvature: 2 for mse; ncc and mi divide by the variance.
double sharpness(const Samples& s, SimilarityKind similarity) {
  if (similarity == SimilarityKind::mse) return 2;
  double sum = 0, squares = 0;
  for (const float value : s.moving) {
    sum += value;
    squares += double(value) * value;
  }
  const auto n = static_cast<double>(s.moving.size());
  return 1 / std::max(squares / n - sum * sum / (n * n), 1e-6);
}

}  // namespace

LinearMatch linear_match(const MaskedImage& fixed, const MaskedImage& moving, const Affine& map,
                         const MotionFrame& frame, const LossConfig& loss, bool with_curvature) {
  const Samples s = sample_all(fixed, moving, map, frame);
  LinearMatch out;
  const double there = double(counted(moving)) * voxel_volume(moving.image.grid) /
                       (voxel_volume(fixed.image.grid) * std::abs(determinant(map.matrix)));
  const double here = double(counted(fixed));
  if (double(s.moving.size()) < kLeastShared * std::min(here, there) || s.moving.empty()) {
    out.energy = std::numeric_limits<double>::infinity();
    return out;
  }
  std::vector<float> grad(s.moving.size());
  out.energy = measure(s, grad.data(), loss);
  // Parts of one size are added up in their order: the same bits for any number of threads.
  constexpr std::int64_t kPart = 1 << 13;
  const auto n = static_cast<std::int64_t>(grad.size());
  std::vector<LinearMatch> parts(static_cast<std::size_t>((n + kPart - 1) / kPart));
  parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t part) {
    LinearMatch& sum = parts[part];
    for (std::int64_t v = part * kPart; v < std::min(n, (part + 1) * kPart); ++v) {
      Motion row;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) row[3 * r + c] = double(s.slope[v][r]) * s.at[v][c];
        row[9 + r] = s.slope[v][r];
      }
      for (int a = 0; a < kMotions; ++a) {
        sum.gradient[a] += row[a] * grad[v];
        if (!with_curvature) continue;
        for (int b = 0; b <= a; ++b) sum.curvature[a][b] += row[a] * row[b];
      }
    }
  });
  const double weight = sharpness(s, loss.similarity) / double(n);
  for (const LinearMatch& part : parts)
    for (int a = 0; a < kMotions; ++a) {
      out.gradient[a] += part.gradient[a];
      for (int b = 0; b <= a; ++b) out.curvature[a][b] += weight * part.curvature[a][b];
    }
  for (int a = 0; a < kMotions; ++a)
    for (int b = a + 1; b < kMotions; ++b) out.curvature[a][b] = out.curvature[b][a];
  return out;
}

}  // namespace aladdin
