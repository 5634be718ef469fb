// An effect whose truth is known at every point: cartilage that is thinner, in one compartment, by a smooth map.
//
//   Ψ = exp(-r w),   w(p) = b(p) g(s(p)) n(p)
//
// s is the distance from the femur, n its gradient, r the rate. g(s) = s within 2.6 mm of the bone, where the cartilage
// lies; from there it falls smoothly to 0 at 7 mm, so that what lies above takes the room. So Ψ multiplies the thickness
// by exp(-r) where b = 1, and moves neither bone. b is 1 over the back of the lateral femoral condyle, whose cartilage
// touches no other, and falls to 0 around it.
#pragma once

#include "aladdin/core/linear.h"

namespace aladdin::synth {

// b at a design point (bones.h).
double planted_share(const Vec3& design);

// Ψ of the rate r, or with -r its inverse; without a component along x in 2-D. Runge-Kutta of fourth order.
Vec3 planted_map(const Vec3& design, double rate, int dims);

}  // namespace aladdin::synth
