// An approximate inverse of the energy's second derivative, symmetric and positive definite:
//
//   P = Pi / kappa + (1 - Pi) (kappa + R)^-1 (1 - Pi)
//
// kappa is the curvature of the similarity per voxel of the velocity, one number; R that of lambda L_reg,
//
//   R_c = 2 lambda s_c^2 / n (sum_i l_i / s_i^2)^2     bending        l_i = 2 - 2 cos(pi k_i / n_i)
//   R_c = 2 lambda s_c^2 / n  sum_i l_i / s_i^2        gradient, velocity
//
// diagonal in the cosine transform (FFTW's REDFT10), so long waves move first. Pi projects each component onto affine
// functions of the position: bending leaves these free, so they move as if there were no regulariser, and affine motion is
// found at once.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin {

class Preconditioner {
 public:
  struct Options {
    double kappa = 1;
    double lambda = 0;
    bool bending = true;       // or the squared gradient
    bool affine_only = false;  // P = Pi / kappa: the descent stays among affine velocities
  };

  Preconditioner(const kernels::Shape& shape, const std::array<double, 3>& spacing_mm,
                 const Options& options);
  ~Preconditioner();
  Preconditioner(const Preconditioner&) = delete;
  Preconditioner& operator=(const Preconditioner&) = delete;

  // field <- P field, (dims, voxels).
  void apply(float* field) const;

 private:
  struct Plans;
  void take_affine(const float* component, std::array<double, 4>& of) const;
  void add_affine(const std::array<double, 4>& of, double weight, float* component) const;

  kernels::Shape shape_;
  Options options_;
  std::array<double, 4> norms_;               // of 1, x, y, z about the centre
  std::vector<std::vector<float>> spectrum_;  // 1 / (kappa + R) with FFTW's scale, per component
  std::unique_ptr<Plans> plans_;
};

}  // namespace aladdin
