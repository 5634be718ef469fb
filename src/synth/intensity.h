// What an MR scanner (sagittal 3-D DESS with water excitation: fat and marrow dark, cartilage and
// fluid bright) makes of tissues. Signals are 0 … about 1; bone, cartilage and background follow
// the published means and standard deviations of knee MR.
#pragma once

#include <cstdint>

#include "aladdin/core/rng.h"
#include "aladdin/image/image.h"
#include "aladdin/synth/anatomy.h"

namespace aladdin::synth {

// The tissues' signal at a point, with trabeculae, muscle fibres and fat lobules as band-limited
// noise of the subject's own seed; `texture` scales these (0: the tissue means).
float tissue_signal(const Composition& tissues, Point native_mm, std::uint32_t seed, float texture);

// A smooth positive gain over the field of view: exp of a random quadratic, standard deviation
// about 15 % times `strength`.
class CoilBias {
 public:
  CoilBias(Rng& rng, double strength);
  // `u` runs from -1 to 1 over the field of view along each axis.
  float operator()(float ux, float uy, float uz) const;

 private:
  float linear_[3], square_[3], mixed_[3];
};

// The magnitude of the signal with complex Gaussian noise of standard deviation sigma.
float rician(float signal, float sigma, Rng& rng);

}  // namespace aladdin::synth
