// 3x3x3 convolutions of stride 1 and padding 1 with 3.4 times fewer multiplications: Winograd's F(2, 3) along each axis
// (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016). A tile of 2x2x2 outputs comes from its
// 4x4x4 inputs d through 64 places, at each of which there is one matrix product over the channels; per axis
//
//   y = A' [(G w) . (B' d)]       B' = 1  0 -1  0     G =  1   0   0     A' = 1  1  1  0
//                                      0  1  1  0         1/2 1/2 1/2         0  1 -1 -1
//                                      0 -1  1  0         1/2-1/2 1/2
//                                      0  1  0 -1          0   0   1
//
// The way back to the input is a convolution with the mirrored weight; the way back to the weight sums over the tiles
//
//   dw = G' [(B' d) . (A dy)].
//
// Volumes are (n, channels / block, d, h, w, block), as oneDNN has them. All but the plain weights and biases is aligned to
// 64 bytes. The plain convolution that this is held to is in its test.
#pragma once

#include <cstdint>

namespace aladdin::kernels {

struct WinogradShape {
  std::int64_t n = 1, d = 1, h = 1, w = 1;
  int in = 0, out = 0;  // channels
  int block = 16;
};

// What follows the convolution: y = activation(conv + bias) + residual. Null is zero.
struct WinogradEnd {
  const float* bias = nullptr;
  float slope = 1.0F;  // of the activation below zero
  const float* residual = nullptr;
};

// Whether the channels fill vectors, the tiles mostly lie inside the volume and are many for the weight that each place
// has, which is 64 times in x out where the plain one is 27 times.
bool winograd_suits(const WinogradShape&);

// G w of a weight (out, in, 3, 3, 3), kWinogradPlaces x in x out floats in an order of the SIMD level. Mirrored: of the
// way back of the convolution with the weight (in, out, 3, 3, 3).
constexpr std::int64_t kWinogradPlaces = 64;
void winograd_weight(const float* weight, int in, int out, bool mirrored, float* packed);

void winograd(const float* x, const float* packed_weight, const WinogradEnd&, float* y,
              const WinogradShape&);

// Gradients of weight (out, in, 3, 3, 3) and bias of the convolution that took x to an output with the gradient `grad`.
void winograd_by_weight(const float* x, const float* grad, float* grad_weight, float* grad_bias,
                        const WinogradShape&);

}  // namespace aladdin::kernels
