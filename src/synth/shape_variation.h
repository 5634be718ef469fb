// How one knee's shape differs from the canonical one: an affine part and a diffeomorphism.
//
//   φ = A ∘ E⁻¹ ∘ exp(v) ∘ Ψ ∘ E :  atlas points -> native points
//
// E takes the atlas space to the design space of bones.h (life size), v is a smooth random
// stationary velocity there, Ψ an effect that was planted (planted.h; most cohorts have none), A is affine in LPS mm. φ pulls a native image into the atlas space;
// φ⁻¹ uses exp(-v), so both are known to the accuracy of the integration, not by numerical
// inversion.
#pragma once

#include <vector>

#include "aladdin/core/rng.h"
#include "aladdin/image/grid.h"
#include "aladdin/transform/affine.h"
#include "aladdin/transform/displacement.h"

namespace aladdin::synth {

// E: the atlas space is centred on the field of view and squeezed, axis by axis, where the field of
// view is smaller than the bones. In 2-D the atlas plane is the sagittal one through the lateral
// compartment: atlas axes = posterior, inferior.
struct Embedding {
  int dims = 3;
  Vec3 squeeze{1, 1, 1};  // along the design axes, at most 1

  Vec3 to_design(const Vec3& atlas) const;
  Vec3 to_atlas(const Vec3& design) const;
};

// The squeeze that a field of view (mm, along the grid's axes) asks for.
Embedding embedding_for(const Vec3& extent_mm, int dims);

// Rotation (sd 4 to 5 degrees an axis), scale (sd 6 %), shear and a shift (sd 3 to 4.5 mm),
// all times `strength`, cut at two standard deviations. About the origin of the atlas space.
Affine random_affine(Rng& rng, double strength, const Embedding& embedding);

// A cubic B-spline of normal coefficients, 22 mm apart, over the whole design space: mostly broad,
// some fine. mm per unit time; twice continuously differentiable. In 2-D without a component along
// x.
class SmoothVelocity {
 public:
  SmoothVelocity(Rng& rng, double strength, int dims);
  Vec3 operator()(const Vec3& design) const;
  // exp(±v): Runge-Kutta of fourth order with steps of 1/2. `sign` is 1 or -1.
  Vec3 flow(const Vec3& design, double sign) const;

 private:
  int dims_;
  std::vector<double> coefficients_;  // x, y, z of one knot together
};

// exp(±v) - id tabulated every 3 mm over a box, interpolated linearly: within 0.02 mm of the
// flow.
class FlowTable {
 public:
  FlowTable(const SmoothVelocity& velocity, double sign, const Vec3& low, const Vec3& high);
  Vec3 operator()(const Vec3& design) const;  // the point's image

 private:
  Vec3 low_;
  Size3 size_;
  std::vector<float> displacement_;
};

// φ and φ⁻¹ of one subject, for the points of two grids.
class TrueMap {
 public:
  TrueMap(const Embedding& embedding, const Affine& affine, const SmoothVelocity& velocity,
          const Grid& atlas, const Grid& native, double planted_rate = 0);

  Vec3 atlas_to_native(const Vec3& atlas) const;
  Vec3 native_to_atlas(const Vec3& native) const;
  // φ(a) - a on the atlas grid: resamples the native image to the atlas.
  Displacement pull_native_to_atlas() const;
  // φ⁻¹(n) - n on the native grid: resamples the atlas to the native image.
  Displacement pull_atlas_to_native() const;
  const Affine& affine() const { return affine_; }

 private:
  Embedding embedding_;
  Affine affine_, inverse_affine_;
  Grid atlas_, native_;
  double planted_rate_;
  FlowTable forward_, backward_;
};

}  // namespace aladdin::synth
