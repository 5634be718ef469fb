// Where the mean of a weighted group is, seen from the population's atlas.
//
// exp(v_i) takes a point of the population's atlas to subject i. Relative to the population, whose weights are 1 / N, the
// group's mean point is
//
//   M(x) = x + sum_i d_i (exp(v_i)(x) - x),     d_i = w_i - 1 / N
//
// and the transform exp(w) from the population's atlas to the group's is sought with M o exp(-w) = id: the registrations
// exp(v_i) o exp(-w) that are moved there have, as those of the population have, a mean displacement of zero. The mean velocity
// is the start, and since velocities are no vector space under composition, what is left is added until it stays:
//
//   w_0 = sum_i d_i v_i,     w_(k+1) = w_k + (M o exp(-w_k) - id)
//
// A group with the population's weights has d = 0 and does not move at all.
#pragma once

#include <vector>

#include "aladdin/kernels/field.h"
#include "aladdin/network/model.h"

namespace aladdin::condition {

struct Residual {
  double mean_mm = 0, max_mm = 0;  // of M o exp(-w) - id
};

struct Middle {
  // On the padded grid, in voxels.
  std::vector<float> to_group;       // exp(w) - id: points of the population's atlas to the group's
  std::vector<float> to_population;  // exp(-w) - id
  std::vector<Residual> rounds;      // the first is that of the mean velocity
};

// start: w_0 on the padded grid; mean: M - id; both in voxels, planar. `model` has the grid, squarings and border.
Middle find_middle(std::vector<float> start, const std::vector<float>& mean, const Model& model);

}  // namespace aladdin::condition
