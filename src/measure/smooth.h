// A Gaussian average within a mask.
#pragma once

#include <cstdint>
#include <vector>

#include "aladdin/image/image.h"

namespace aladdin::measure {

// Gaussian G of this full width at half maximum in mm (sigma = width / 2.3548), cut off at 4 sigma, by
// axis:
//
//   image <- (G * (image mask)) / (G * mask) inside the mask, 0 outside
//
// Nothing from outside the mask leaks in, and a constant stays that constant up to the mask's edge.
// A width of 0 only sets the outside to 0. Throws on a width that is negative or not finite. Runs on one
// thread: callers smooth images in parallel.
void smooth(Image& image, const std::vector<std::uint8_t>& mask, double fwhm_mm);

}  // namespace aladdin::measure
