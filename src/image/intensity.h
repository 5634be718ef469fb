// Intensities become comparable by the paper's map: the 0.1 and 99.9 percentiles of an image go to
// 0 and 1, everything beyond is clamped. The procedure (IntensityRule) belongs to a study and is
// stored with it, so that tomorrow's image gets the same treatment; the two values found
// (IntensityMap) belong to one image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aladdin/image/image.h"

namespace aladdin {

struct IntensityMap {
  float low = 0, high = 1;

  float operator()(float value) const {
    const float mapped = (value - low) / (high - low);
    return mapped < 0 ? 0 : mapped > 1 ? 1 : mapped;
  }
};

struct IntensityRule {
  double low_percent = 0.1;
  double high_percent = 99.9;

  // Throws unless 0 <= low_percent < high_percent <= 100.
  void validate() const;
};

// The p-th percentile of the values, 0 <= p <= 100: linear between the two nearest order
// statistics, as numpy's. Exact, in linear time; reorders `values`, which must not be empty.
float percentile(std::vector<float>& values, double p);

// Over the voxels where `mask` (on the image's grid) is not 0, or over all of them without a mask.
// `name` is the file, for the error when the image is constant or the mask is empty.
IntensityMap find_intensity_map(const Image& image, const Labels* mask, const IntensityRule& rule,
                                const std::string& name);

void apply(const IntensityMap& map, Image& image);

}  // namespace aladdin
