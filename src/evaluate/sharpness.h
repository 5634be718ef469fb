// How sharp an atlas is. Larger gradients and a smaller entropy go with better aligned images, though a
// sharper atlas is not always a better one (Sec. 1 of the paper).
//
//   gradient energy  G = mean_x |grad I(x)|^2         [intensity^2 / mm^2], central differences,
//                                                     one-sided at the border
//   relative energy  G / var I                        [1 / mm^2], free of the intensity's scale
//   entropy          H = -sum_b p_b log2 p_b          [bits], p the histogram of I in 256 equal
//                                                     bins from its minimum to its maximum
//
// A constant image has 0 for all three.
#pragma once

#include "aladdin/image/image.h"

namespace aladdin::evaluate {

struct Sharpness {
  double gradient_energy = 0, relative_energy = 0, entropy_bits = 0;
};

// Throws on values that are not finite.
Sharpness measure_sharpness(const Image& image);

}  // namespace aladdin::evaluate
