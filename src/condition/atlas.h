// The atlas of a weighted group, by Eq. 4 of the paper in the space moved to the group's middle (middle.h):
//
//   Phi_i = exp(v_i) o exp(-w)                              from this atlas to subject i
//   A     = sum_i w_i |D Phi_i| I_i o Phi_i / sum_i w_i |D Phi_i|
//   P_k   = sum_i w_i [L_i o Phi_i = k], without what is negative, of sum 1;  the label is the most probable
//
// The subjects are read twice for as many atlases as memory allows, one after the other.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <optional>

#include "aladdin/condition/middle.h"
#include "aladdin/condition/subjects.h"

namespace aladdin::condition {

// All but `padded` without the padding: the grid of the population's atlas.
struct Atlas {
  Image padded;              // the image with the padding, as a model has it
  Image image, variability;  // variability: the weighted standard deviation of the moved images
  std::optional<Labels> labels;
  std::vector<Image> probabilities;  // of each of RunSubjects::label_table()
  std::vector<double>
      volumes;  // of each label: voxels of `labels`, in mm³ (mm² in 2-D); [0] is the background's
  std::vector<double> expected_volumes;  // likewise, the sum of the probabilities
  VectorImage to_group,
      to_population;  // displacements in mm: of points of the population's atlas, and back
  Image
      log_jacobian;  // log |D exp(w)| on the population's atlas: above 0 where this atlas is larger
  std::int64_t folds = 0;  // voxels with a determinant of 0 or less
  std::vector<Residual> rounds;
};

// weights: members x atlases. Calls use() of each atlas in order.
void make_atlases(const RunSubjects& subjects, const std::vector<std::size_t>& members,
                  const Eigen::MatrixXd& weights,
                  const std::function<void(std::size_t, Atlas&&)>& use);

}  // namespace aladdin::condition
