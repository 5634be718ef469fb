// Smooth noise as a function of position: the same at any resolution and for any thread count.
#pragma once

#include <cstdint>

#include "aladdin/synth/distance.h"

namespace aladdin::synth {

// Values of about -1 … 1 (mean 0, standard deviation near 0.4), interpolated smoothly between the
// corners of unit cells, so that its energy lies around a period of two cells: a band of its own.
float smooth_noise(Point p, std::uint32_t seed);

inline Point scaled(Point p, float sx, float sy, float sz) {
  return {p.x * sx, p.y * sy, p.z * sz};
}

}  // namespace aladdin::synth
