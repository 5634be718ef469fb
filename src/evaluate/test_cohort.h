// A small cohort for the tests of this folder: labelled blobs that smooth velocities move about.
#pragma once

#include <cmath>
#include <vector>

#include "aladdin/core/rng.h"
#include "aladdin/evaluate/bridge_exact.h"
#include "aladdin/kernels/exponential.h"

namespace aladdin::evaluate::testing {

inline constexpr kernels::Shape kVolume{1, 18, 24, 29, 3};
inline constexpr kernels::Shape kPicture{1, 1, 37, 44, 2};
inline constexpr int kLabels = 4;

// Products of sines of random phase, at most `size` voxels.
inline std::vector<float> smooth_velocity(const kernels::Shape& s, double size, int seed) {
  Rng rng(seed);
  std::vector<float> v(s.dims * s.voxels());
  for (int c = 0; c < s.dims; ++c) {
    const double px = rng.uniform(0, 6), py = rng.uniform(0, 6), pz = rng.uniform(0, 6);
    for (std::int64_t i = 0; i < s.voxels(); ++i) {
      const double x = double(i % s.w) / double(s.w), y = double(i / s.w % s.h) / double(s.h),
                   z = double(i / (s.w * s.h)) / double(s.d);
      v[c * s.voxels() + i] =
          float(size * std::sin(5 * x + px) * std::sin(4 * y + py) * std::cos(4 * z + pz));
    }
  }
  return v;
}

struct TestSubject {
  std::vector<LabelIndex> labels;
  std::vector<float> velocity, to_subject, to_atlas;

  BridgeSubject view() const { return {labels.data(), to_subject.data(), to_atlas.data()}; }
};

// Three nested or touching ellipses, differently placed in each subject.
inline TestSubject make_subject(const kernels::Shape& s, double motion, int seed) {
  TestSubject subject;
  Rng rng(seed, 3);
  double centre[3], radius[3];
  const double extent[3] = {double(s.w), double(s.h), double(s.d)};
  for (int axis = 0; axis < 3; ++axis) {
    centre[axis] = extent[axis] * rng.uniform(0.42, 0.58);
    radius[axis] = extent[axis] * rng.uniform(0.25, 0.35);
  }
  subject.labels.resize(s.voxels());
  for (std::int64_t i = 0; i < s.voxels(); ++i) {
    const double at[3] = {double(i % s.w), double(i / s.w % s.h), double(i / (s.w * s.h))};
    double r = 0;
    for (int axis = 0; axis < s.dims; ++axis)
      r += (at[axis] - centre[axis]) * (at[axis] - centre[axis]) / (radius[axis] * radius[axis]);
    if (r < 1) subject.labels[i] = r < 0.3 ? 3 : (at[0] < centre[0] ? 1 : 2);
  }
  subject.velocity = smooth_velocity(s, motion, seed);
  subject.to_subject.resize(subject.velocity.size());
  subject.to_atlas.resize(subject.velocity.size());
  kernels::exponential(subject.velocity.data(), subject.to_subject.data(), s, 7, 1.0F);
  kernels::exponential(subject.velocity.data(), subject.to_atlas.data(), s, 7, -1.0F);
  return subject;
}

inline std::vector<TestSubject> make_cohort(const kernels::Shape& s, int subjects, double motion) {
  std::vector<TestSubject> cohort;
  for (int i = 0; i < subjects; ++i) cohort.push_back(make_subject(s, motion, i + 1));
  return cohort;
}

inline std::vector<BridgeSubject> views(const std::vector<TestSubject>& cohort) {
  std::vector<BridgeSubject> all;
  for (const auto& subject : cohort) all.push_back(subject.view());
  return all;
}

}  // namespace aladdin::evaluate::testing
