// The atlas of a cohort, given its registrations (Sec. 2 and 3.2 of the paper):
//
//   forward (Eq. 4)    A = sum_i |D Phi_{0,1}^i| I_i o Phi_{0,1}^i / sum_i |D Phi_{0,1}^i|
//   backward (Eq. 3)   A = mean_i I_i o Phi_{0,1}^i
//   learned            its own gradient descent, one step an epoch on the mean gradient
//   adam               its own Adam, one step with each of the network's (methods/dalca.cpp)
//   fixed              as it was given: Fig. 4 of the paper
//
// Determinants below `floor` count as `floor`, so a fold cannot make a weight negative (the published
// code has no floor). Only sums are kept, no images: memory does not grow with the cohort.
#pragma once

#include "aladdin/method/flow.h"
#include "aladdin/method/training_data.h"

namespace aladdin {

class AtlasSum {
 public:
  explicit AtlasSum(const AtlasConfig& config) : config_(config) {}

  // images (n, 1, …); to_subject: Phi_{0,1} - id on the same grid; weight: of these subjects in the atlas.
  void add(const at::Tensor& images, const at::Tensor& to_subject, double weight = 1);
  // Adds the sums of all other processes; for images of this shape.
  void sum_over(const Team& team, at::IntArrayRef shape, at::Device device);
  at::Tensor atlas() const;
  // The voxelwise standard deviation of the warped images, unweighted.
  at::Tensor variability() const;

 private:
  AtlasConfig config_;
  at::Tensor weighted_, weight_, sum_, squares_;
  std::int64_t count_ = 0;
};

// The mean of the training images, the image nearest to it (medoid), or a file, which stays where
// it is in the world (WorkingGridOptions::around). (1, 1, …)
at::Tensor initial_atlas(const std::string& init, const TrainingData& data);

// NCC and LNCC do not determine the scale of the intensities: gives `atlas` the mean and the standard deviation of
// `like`, then clamps to [0, 1].
at::Tensor hold_intensities(const at::Tensor& atlas, const at::Tensor& like);

// The velocity of exp(v) o exp(-shift): v against an atlas that was moved by exp(-shift) (optimise/lie.h). An undefined shift
// is none.
at::Tensor without(const at::Tensor& shift, const at::Tensor& v);

struct AtlasUpdate {
  at::Tensor atlas;
  at::Tensor shift;     // mean displacement of the cohort, in voxels of the velocity grid
  double shift_mm = 0;  // mean length of that
};

// The next atlas, from the velocities of the training subjects. With config.centre the mean displacement is removed
// from every velocity first, so the new atlas lies in the middle of the cohort and training continues against it there.
// An atlas that is not computed in closed form is only moved. weights: of the training subjects, in both means; empty:
// all weigh the same.
AtlasUpdate update_atlas(const Velocities& velocities, const Flow& flow, const at::Tensor& atlas,
                         const TrainingData& data, const AtlasConfig& config,
                         const std::vector<double>& weights = {});

}  // namespace aladdin
