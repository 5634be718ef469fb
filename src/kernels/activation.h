// The way back through an activation that multiplies by `slope` below zero.
#pragma once

#include <cstdint>

namespace aladdin::kernels {

// out = g where v > b, else slope times that. v is the output of the activation, to which b was added; null is zero.
// out may be g.
void activation_backward(const float* g, const float* v, const float* b, float slope, float* out,
                         std::int64_t count);

}  // namespace aladdin::kernels
