// Inside this folder only: the end of the network at full resolution as one convolution.
//
// A transposed convolution U (2x2x2, stride 2, bias b) and a convolution F (3x3x3, bias a) with nothing between
// them are one linear map. Along one axis, with x on N voxels and y = 0 outside [0, 2N):
//
//   y_m(2i + s) = sum_c U_cms x_c(i) + b_m            s = 0, 1
//   f_o(t)      = sum_mk F_omk y_m(t + k) + a_o       k = -1, 0, 1
//
// The two voxels t = 2j - 1 + q, q = 0, 1, around the corner j = 0 … N see y(2(j - 1) + e), e = q + k + 1 = 0 … 3,
// that is x(j - 1 + r) with r = e / 2 and s = e % 2. So f is a 2x2x2 convolution of x with padding 1, whose
// channels (o, q) are then put in their places:
//
//   f_o(2j - 1 + q) = sum_cr K_oqcr x_c(j - 1 + r) + B_o(t),   K_oqcr = sum_mk F_omk U_cms over e / 2 = r
//
// The bias B_o(t) = a_o + sum_mk b_m F_omk over t + k in [0, 2N) differs only at the border: for each axis a voxel
// is the first, the last or another. A fifth of the operations, and the sixteen channels at full resolution,
// the largest tensor of the network, never exist.
#pragma once

#include "aladdin/network/dnnl_block.h"

namespace aladdin {

// The weights as they are stored: U (in, middle, 2…), F (out, middle, 3…).
struct FlowEndWeights {
  const float *up, *up_bias, *flow, *flow_bias;
};
struct FlowEndGradients {
  float *up, *up_bias, *flow, *flow_bias;
};

class FlowEnd {
 public:
  FlowEnd(int dims, std::int64_t in, std::int64_t middle, std::int64_t out);

  // K as (out 2^dims, in, 2…).
  std::vector<float> kernel(const FlowEndWeights& weights) const;
  // The convolution for an input (n, in, …).
  LayerKey key(const std::vector<std::int64_t>& input) const;

  // Row-major (n, out, 2 d, 2 h, 2 w) from what the convolution gave.
  void place(const Block& corners, const FlowEndWeights& weights, float* out) const;
  // The way back: the gradient at the corners, in the layout `desc`; zero where a corner has no voxel.
  Block collect(const float* grad, const dnnl::memory::desc& desc) const;
  // From dE/dK (as kernel() gives it) and dE/df.
  void gradients(const FlowEndWeights& weights, const std::vector<float>& grad_kernel,
                 const float* grad, const std::vector<std::int64_t>& grad_size,
                 const FlowEndGradients& out) const;

 private:
  int dims_;
  std::int64_t in_, middle_, out_;
};

}  // namespace aladdin
