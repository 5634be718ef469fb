// The paper's numerical inverse (Appx. "Inverse deformation map calculation"):
//
//   argmin_phi  |Phi o phi - Id|^2 + |phi o Phi - Id|^2,     Phi = id + u,  phi = id + w
//
// With r1(y) = w(y) + u(y + w(y)) on the target's voxels and r2(x) = u(x) + w(x + u(x)) on the
// field's,
//
//   dL/dw(y) = 2 V1 (I + du/dx(y + w(y)))^T r1(y)  +  2 V2 sum_x c(x, y) r2(x),
//
// c being the weight of y in the linear interpolation at x + u(x), V1 and V2 the voxel volumes.
// Deviations: it starts from the fixed-point inverse, so that 60 steps do where the paper's Adam
// runs until convergence, and large displacements do not end in a local minimum; steps are in
// voxels and shrink along a cosine; beyond its border u goes on unchanged, and r2 is left out where
// x + u(x) leaves the target grid.
#pragma once

#include "aladdin/transform/displacement.h"

namespace aladdin {

// Lowers the objective from where `inverse_of_it` is.
void refine_symmetrically(const Displacement& displacement, Displacement& inverse_of_it);

}  // namespace aladdin
