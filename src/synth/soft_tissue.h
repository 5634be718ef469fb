// Everything outside bone and cartilage, as signed distances in the design space (bones.h).
#pragma once

#include "aladdin/synth/anatomy.h"

namespace aladdin::synth {

// Soft tissue is irregular and differs between people: the other functions take this bent point.
Point bend(Point p, std::uint32_t seed);

float leg_distance(Point p, const Morphology& morphology);  // the skin's outer surface
float muscle_distance(Point p, float muscle);
float tendon_distance(Point p);    // quadriceps and patellar tendons
float ligament_distance(Point p);  // both cruciates, both collaterals
float vessel_distance(Point p);    // popliteal artery and vein, a subcutaneous vein
// Fluid above the patella and behind the condyles; `effusion` is 0 … 1.
float effusion_distance(Point p, float effusion);
// How much of the tissue at p is synovium, 0 … 1: most in the notch, around the cruciates.
float synovium_share(Point p);

}  // namespace aladdin::synth
