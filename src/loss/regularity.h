// The regularity L_reg of a registration, in physical coordinates, a mean over the batch:
//
//   bending    the bending energy of Phi_{1,0} (kernels/bending.h)                  [1/mm^2]
//   gradient   mean_x sum_c |grad u_c|^2 of the displacement u of Phi_{1,0}, forward differences
//   velocity   the same of the velocity
//
// Fields are in voxels of their own grid; affine maps cost nothing under `bending` only.
#pragma once

#include <ATen/ATen.h>

#include <array>

#include "aladdin/config/config.h"

namespace aladdin {

// mean_x sum_c |grad u_c|^2 of a displacement or velocity in voxels, forward differences, no unit.
at::Tensor gradient_energy(const at::Tensor& u, const std::array<double, 3>& spacing_mm);

class Regularity {
 public:
  explicit Regularity(const LossConfig& config) : kind_(config.regulariser) {}

  // velocity and to_atlas (Phi_{1,0} - id): (n, dims, …) on one grid with this spacing along x, y, z.
  at::Tensor operator()(const at::Tensor& velocity, const at::Tensor& to_atlas,
                        const std::array<double, 3>& spacing_mm) const;

 private:
  RegulariserKind kind_;
};

}  // namespace aladdin
