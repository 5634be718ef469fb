// The parts from which every method builds its energy.
#pragma once

#include "aladdin/loss/dissimilarity.h"
#include "aladdin/method/flow.h"

namespace aladdin {

// The items of a batch whose fields this process has: [begin, end), or all.
struct Share {
  int64_t begin = 0, end = -1;
  bool is_whole() const { return end < 0; }
};

struct Batch {
  at::Tensor images;  // (n, 1, …)
  at::Tensor labels;  // (n, structures, …) one-hot without background, or undefined
  at::Tensor masks;   // (n, 1, …), or undefined
  // (n, dims, …) on the velocity grid, in its voxels: what the network is taught to answer; or undefined.
  at::Tensor taught{};
  Share share{};  // at least one item; whole unless Energy::can_be_shared

  // The rows of the share.
  at::Tensor own(const at::Tensor& all) const {
    return share.is_whole() || !all.defined() ? all
                                              : all.narrow(0, share.begin, share.end - share.begin);
  }
};

struct Terms {
  at::Tensor energy;
  double sim = 0, reg = 0, atlas_pairs = 0, image_pairs = 0, dice = 0;  // unweighted

  // energy += weight * term, and value = term.
  void add(double weight, const at::Tensor& term, double& value);
  void add(double weight, const at::Tensor& term);
};

// The paper's terms that compare the images of a batch with each other: gamma1 in atlas space, gamma2 in image
// space, and the Dice of their labels (methods/aladdin.cpp). A share adds the pairs whose second item it has.
void add_pairs(const LossConfig& config, const Dissimilarity& dissimilarity, const Batch& batch,
               const Fields& fields, Terms& terms);

// mean_x |u(x)|^2 in mm^2, u in voxels of this spacing along x, y, z.
at::Tensor mean_square_mm(const at::Tensor& u, const std::array<double, 3>& spacing_mm);

}  // namespace aladdin
