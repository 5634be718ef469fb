// How far an atlas is from the middle of its cohort: with u_i the displacement (or the velocity) of
// subject i on the atlas grid,
//
//   m(x) = 1/M sum_i u_i(x),     |m(x)| at each voxel,     its mean and maximum over voxels,
//
// and | mean_x m(x) |, the shift of the whole. All are 0 for an atlas in the middle. One object for
// displacements, another for velocities. Fields are in voxels, planar; results in mm and in voxels.
#pragma once

#include <array>
#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin::evaluate {

struct CentralitySummary {
  double mean_mm = 0, max_mm = 0, mean_vox = 0, max_vox = 0;  // of |m(x)|
  double shift_mm = 0, shift_vox = 0;                         // | mean_x m(x) |
  std::int64_t subjects = 0;
};

class Centrality {
 public:
  // spacing_mm along x, y, z. Memory: 8 bytes x dims x voxels, for any number of subjects.
  Centrality(const kernels::Shape& shape, const std::array<double, 3>& spacing_mm);

  void add(const float* field_vox);
  std::int64_t subjects() const { return subjects_; }

  // All of these throw when nothing was added.
  CentralitySummary summary() const;
  void mean_field(float* out_vox) const;  // m, planar
  void norms(float* out_mm) const;        // |m(x)|

 private:
  void require_subjects() const;

  kernels::Shape shape_;
  std::array<double, 3> spacing_mm_;
  std::int64_t subjects_ = 0;
  std::vector<double> sum_;  // planar
};

}  // namespace aladdin::evaluate
