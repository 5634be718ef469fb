// Bending energy of x -> x + u(x) (Eq. 8 of the paper, Sec. 3.2 and Appx. E), in mm:
//
//   E = 1/(n |interior|) sum_x sum_c sum_{i,j} ( s_c / (s_i s_j) * D_ij u_c(x) )^2      [1/mm^2]
//
// u in voxels, s the spacing in mm along x, y, z,
//
//   D_ii = u(x+i) - 2 u(x) + u(x-i),   D_ij = (u(x+i+j) - u(x+i-j) - u(x-i+j) + u(x-i-j)) / 4,
//
// each mixed term counted twice. The mean is over voxels that have all neighbours, so any affine map
// has energy zero exactly. An axis with fewer than three voxels has no second derivatives and is
// left out.
//
// Deviation from the published code, deliberate: the 1/4 of the mixed terms and the spacing.
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

// Returns E; writes dE/du (overwritten) unless grad_u is null.
double bending_energy(const float* u, float* grad_u, const Shape& shape,
                      const std::array<double, 3>& spacing_mm);

namespace reference {
template <class T>
double bending_energy(const T* u, T* grad_u, const Shape& shape,
                      const std::array<double, 3>& spacing_mm);
}  // namespace reference
}  // namespace aladdin::kernels
