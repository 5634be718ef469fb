#include "aladdin/pair/pair_registration.h"

#include <algorithm>
#include <vector>

#include "aladdin/config/length.h"
#include "aladdin/core/error.h"
#include "aladdin/image/intensity.h"
#include "aladdin/image/shape.h"
#include "aladdin/optimise/grids.h"
#include "aladdin/optimise/optimiser.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin {
namespace {

LinearKind linear_part(PairKind kind) {
  switch (kind) {
    case PairKind::rigid:
      return LinearKind::rigid;
    case PairKind::similarity:
      return LinearKind::similarity;
    default:
      return LinearKind::affine;
  }
}

MaskedImage prepared(const PairImage& of) {
  if (of.mask && !same_grid(of.mask->grid, of.image.grid))
    fail("the mask of '{}' is {}, expected the image's grid, {}", of.name, describe(of.mask->grid),
         describe(of.image.grid));
  MaskedImage out{of.image, of.mask ? *of.mask : Labels{}};
  apply(find_intensity_map(of.image, of.mask, {}, of.name), out.image);
  return out;
}

// The grid of every r-th voxel.
Grid every(Grid grid, int r) {
  const kernels::Shape coarse = coarser(shape_of(grid), r);
  grid.size = {coarse.w, coarse.h, coarse.d};
  for (int axis = 0; axis < grid.dims; ++axis) grid.spacing[axis] *= r;
  return grid;
}

double finest_of(const Grid& grid) {
  return *std::min_element(grid.spacing.begin(), grid.spacing.begin() + grid.dims);
}

Config resolved(Config config, const Grid& grid) {
  resolve_length(config.loss, grid.spacing, grid.dims);
  return config;
}

// One problem of the optimiser: the moving image as the linear map shows it, on the grid of the fixed one.
class Bending {
 public:
  Bending(const MaskedImage& fixed, const MaskedImage& moving, const PairOptions& options,
          const Affine& linear)
      : fixed_(coarsened(fixed, options.spacing_mm)),
        moving_(coarsened(moving, finest_of(fixed_.image.grid))),
        linear_(linear),
        grid_(fixed_.image.grid),
        config_(resolved(options.config, grid_)),
        optimiser_(config_, shape_of(grid_), grid_.spacing) {
    known_ = Image(moving_.image.grid, 1);
    for (std::size_t v = 0; v < moving_.mask.values.size(); ++v)
      known_.values[v] = moving_.mask.values[v] != 0 ? 1.0F : 0.0F;
  }

  PairRegistration solve() const {
    PairRegistration out{linear_, std::nullopt, grid_, config_.network.squarings};
    ImagePair images{pull_back(moving_.image, {linear_}, grid_).values, fixed_.image.values, {}};
    images.mask = counted(out);
    std::vector<float> v = optimiser_.register_image(images);
    out.velocity = velocity_of(v);
    if (auto mask = counted(out); mask != images.mask) {
      images.mask = std::move(mask);
      v = optimiser_.refine(images, v, config_.optimise.iterations);
      out.velocity = velocity_of(v);
    }
    return out;
  }

 private:
  // Where both images count under a registration; empty: everywhere.
  std::vector<float> counted(const PairRegistration& found) const {
    const Image shown = pull_back(known_, found.to_moving(), grid_);
    constexpr float kWhole = 0.999F;  // nothing that is not known was interpolated
    std::vector<float> out(shown.values.size());
    for (std::size_t v = 0; v < out.size(); ++v)
      out[v] =
          shown.values[v] > kWhole && fixed_.counts(static_cast<std::int64_t>(v)) ? 1.0F : 0.0F;
    if (std::ranges::all_of(out, [](float value) { return value > 0; })) out.clear();
    return out;
  }

  Velocity velocity_of(const std::vector<float>& v) const {
    VectorImage voxels(every(grid_, config_.network.velocity_scale));
    voxels.values = v;
    return Velocity(voxels_to_mm(voxels));
  }

  MaskedImage fixed_, moving_;
  Image known_;  // 1 where the moving image counts
  Affine linear_;
  Grid grid_;
  Config config_;
  Optimiser optimiser_;
};

// Goes on beyond the grid as it does at its edge, so that it does not tear there (transform/export.h).
Displacement flow(const PairRegistration& r, Direction direction) {
  Displacement out = exponential(refined(*r.velocity, r.grid), direction, r.squarings);
  out.beyond = Beyond::edge;
  return out;
}

}  // namespace

Chain PairRegistration::to_moving() const {
  if (!velocity) return {linear};
  return {flow(*this, Direction::backward), linear};
}

Chain PairRegistration::to_fixed() const {
  if (!velocity) return {inverse(linear)};
  return {inverse(linear), flow(*this, Direction::forward)};
}

PairRegistration register_pair(const PairImage& fixed, const PairImage& moving,
                               const PairOptions& options) {
  const Grid &f = fixed.image.grid, &m = moving.image.grid;
  if (f.dims != m.dims)
    fail("'{}' is {}-D, but '{}' is {}-D", moving.name, m.dims, fixed.name, f.dims);
  const bool bends = options.kind == PairKind::diffeomorphic;
  if (bends && is_sheared(f))
    throw Error(fmt::format("the axes of '{}' are not at right angles", fixed.name))
        .hint("resample it to a straight grid first, or take it as the moving image");
  const MaskedImage a = prepared(fixed), b = prepared(moving);
  LinearOptions linear{.kind = linear_part(options.kind), .bins = options.config.loss.bins};
  const SimilarityKind similarity = options.config.loss.similarity;
  linear.similarity = similarity == SimilarityKind::lncc ? SimilarityKind::ncc : similarity;
  linear.start = options.start;
  const Affine map = register_linear(a, b, linear).map;
  if (!bends) return {map, std::nullopt, f, options.config.network.squarings};
  return Bending(a, b, options, map).solve();
}

}  // namespace aladdin
