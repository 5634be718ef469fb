// What a synthetic cohort is made of. Plain data; validate() before use.
#pragma once

#include <cstdint>
#include <vector>

namespace aladdin::synth {

struct SynthOptions {
  int subjects = 20;
  int val = -1;                                     // subjects of the split "val"; -1: a fifth
  int test = -1;                                    // of the split "test"; -1: a fifth
  std::vector<std::int64_t> size{40, 96, 96};       // left-right, front-back, up-down
  std::vector<double> spacing_mm{2.8, 1.46, 1.46};  // the field of view of OAI: 112 x 140 x 140 mm
  bool slice = false;  // 2-D: the sagittal plane of `size` and `spacing_mm`
  std::uint64_t seed = 1;
  double affine = 1.0;       // strength of the affine differences between subjects
  double shape = 1.0;        // of the diffeomorphic ones
  double thickness = 1.0;    // of the differences in cartilage thickness
  double planted = 0.0;      // effect of the covariate `planted` on cartilage (planted.h)
  double noise = 1.0;        // of Rician noise
  double texture = 1.0;      // of tissue texture
  double bias = 1.0;         // of the coil's bias field
  double lesions = 1.5;      // mean number of cartilage lesions per subject
  double oblique_deg = 5.0;  // the most by which a scan is tilted, in 3-D

  int val_subjects() const { return val < 0 ? subjects / 5 : val; }
  int test_subjects() const { return test < 0 ? subjects / 5 : test; }

  // Throws a usage error that names the flag, its value and what is expected of it.
  void validate() const;
};

}  // namespace aladdin::synth
