// One synthetic knee with everything that is true of it.
#pragma once

#include <string>

#include "aladdin/image/image.h"
#include "aladdin/synth/options.h"
#include "aladdin/synth/shape_variation.h"

namespace aladdin::synth {

struct Covariates {
  char sex = 'F';  // or 'M'
  double age = 0;  // years
  double femoral_cartilage_mm = 0;
  double tibial_cartilage_mm = 0;
  int lesions = 0;
  double planted = 0;  // normal, cut at two standard deviations
};

struct Knee {
  Image image;
  Labels labels;
};

struct Subject {
  std::string id;
  Knee native;
  Covariates covariates;
  Affine affine;                      // atlas points -> native points, without the diffeomorphism
  Displacement pull_native_to_atlas;  // on the atlas grid
  Displacement pull_atlas_to_native;  // on the native grid
};

// The canonical space: centred on 0, axes LPS (2-D: posterior, inferior).
Grid atlas_grid(const SynthOptions& options);
// The canonical knee without noise, bias and lesions.
Knee make_atlas(const SynthOptions& options);

// Subject number `index` of the seed: the same knee at any size and for any number of subjects.
// Scanned as scanners do: axes R, P, I, somewhat oblique, off the isocentre. Parallel.
Subject make_subject(const SynthOptions& options, int index);

}  // namespace aladdin::synth
