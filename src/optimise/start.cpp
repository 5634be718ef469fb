#include "aladdin/optimise/start.h"

#include <cmath>
#include <numbers>

#include "aladdin/optimise/minimise.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;

constexpr double kTurn = std::numbers::pi / 6;
// A rotated start has to leave this share of the mismatch at most.
constexpr double kClearlyBetter = 0.9;

// The velocity of a rotation by `angle` in the plane of axes a and b, about the centre of the grid, in its voxels.
Values rotation(const kernels::Shape& s, const std::array<double, 3>& spacing, int a, int b,
                double angle) {
  const std::array<std::int64_t, 3> size{s.w, s.h, s.d};
  Values v(static_cast<std::size_t>(s.dims * s.voxels()), 0.0F);
  std::size_t x = 0;
  std::array<std::int64_t, 3> at{};
  for (at[2] = 0; at[2] < s.d; ++at[2])
    for (at[1] = 0; at[1] < s.h; ++at[1])
      for (at[0] = 0; at[0] < s.w; ++at[0], ++x) {
        const double p = (double(at[a]) - 0.5 * double(size[a] - 1)) * spacing[a],
                     q = (double(at[b]) - 0.5 * double(size[b] - 1)) * spacing[b];
        v[a * s.voxels() + x] = float(-angle * q / spacing[a]);
        v[b * s.voxels() + x] = float(angle * p / spacing[b]);
      }
  return v;
}

}  // namespace

Values affine_start(const Config& config, const kernels::Shape& full,
                    const std::array<double, 3>& spacing_mm, const ImagePair& images) {
  Config coarse = config;
  if (coarse.loss.similarity != SimilarityKind::mi) coarse.loss.similarity = SimilarityKind::ncc;
  coarse.loss.sim = 1;
  coarse.loss.lambda = coarse.loss.volume = 0;
  RegistrationEnergy energy(coarse, full, spacing_mm, images);
  const kernels::Shape& grid = energy.velocity_shape();
  const auto spacing = energy.velocity_spacing_mm();
  const Preconditioner affine(grid, spacing, {.kappa = energy.curvature(), .affine_only = true});
  const MinimiseOptions options{.iterations = 30, .tolerance = 3e-3};
  Values best(static_cast<std::size_t>(grid.dims * grid.voxels()), 0.0F);
  const double unmoved = minimise(energy, affine, options, best).energy;
  double least = unmoved * kClearlyBetter;
  for (int a = 0; a < grid.dims; ++a)
    for (int b = a + 1; b < grid.dims; ++b)
      for (const double angle : {kTurn, -kTurn}) {
        Values v = rotation(grid, spacing, a, b, angle);
        const double found = minimise(energy, affine, options, v).energy;
        if (found >= least) continue;
        least = found;
        best = std::move(v);
      }
  return best;
}

}  // namespace aladdin
