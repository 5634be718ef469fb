// Descent over a velocity, every step of which is smooth:
//
//   v = b + G w,   w <- Adam on dE/dw
//
// G is a Gaussian (the field is zero outside); Adam alone would move each voxel by as much, next to each
// other in any direction. Gradients are measured against the first one, so that where there is little
// to gain little moves, whatever the scale of the energy.
#pragma once

#include "aladdin/method/adam.h"
#include "aladdin/network/safetensors.h"

namespace aladdin {

// field (n, channels, [d,] h, w); sigma in voxels, 0: the field itself. Symmetric, differentiable.
at::Tensor smooth(const at::Tensor& field, double sigma);

class SmoothDescent {
 public:
  SmoothDescent(at::Tensor base, double sigma);

  // As a function of leaf().
  at::Tensor velocity() const { return base_ + smooth(change_, sigma_); }
  const at::Tensor& leaf() const { return change_; }
  // rate: voxels a step. Returns the norm of the gradient; changes nothing where that is not finite.
  double step(const at::Tensor& grad, double rate);
  // v <- v - shift
  void subtract(const at::Tensor& shift) { base_ = base_ - shift; }

  void save(Safetensors& file, const std::string& name) const;
  // `like`: a velocity of the same shape.
  static SmoothDescent restored(const Safetensors& file, const std::string& name, double sigma,
                                const at::Tensor& like);

 private:
  at::Tensor base_, change_;  // b, w
  double sigma_;
  double scale_ = 0;  // the first gradient's root mean square; 0: none yet
  Adam adam_;
};

}  // namespace aladdin
