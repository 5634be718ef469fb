// Preconditioned L-BFGS: a descent whose steps are P times the gradient, corrected by what the last few steps have
// told of the curvature.
//
//   d = -H g,   H by the two-loop recursion over the last `memory` pairs (s, y), H_0 = gamma P
//   v <- v + t d,   t = 1 or smaller: the first that lowers the energy enough (Armijo) and moves no voxel by more
//                   than `longest_vox`
//
// It ends where the last `patience` iterations have lowered the energy by less than `tolerance` of it, or where no step
// lowers it.
#pragma once

#include "aladdin/optimise/energy.h"
#include "aladdin/optimise/preconditioner.h"

namespace aladdin {

struct MinimiseOptions {
  int iterations = 100;
  double tolerance = 1e-3;
  int patience = 5;
  double longest_vox = 1;  // of the velocity grid
  int memory = 6;
};

struct Minimum {
  double energy = 0;
  int iterations = 0;
};

// v: the start, of finite energy, then the minimum; on energy.velocity_shape().
Minimum minimise(RegistrationEnergy& energy, const Preconditioner& preconditioner,
                 const MinimiseOptions& options, std::vector<float>& v);

}  // namespace aladdin
