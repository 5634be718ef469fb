// Threshold-free cluster enhancement (Smith and Nichols 2009): for every voxel
//
//   tfce = sum over thresholds h = dh, 2 dh, … up to the voxel's own value of  extent(h)^E h^H dh
//
// where extent(h) is the number of voxels of its cluster above h. Neighbours share a face. dh is the largest absolute
// value of the map over `steps`, E = 1/2, H = 2. Negative values are enhanced apart and stay negative.
//
// Voxels are added from the highest threshold down to a forest of clusters; a cluster's sum is brought up to date only
// when its extent changes, so a map costs about as much as sorting it, whatever the number of steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aladdin/image/grid.h"

namespace aladdin::stats {

// Neighbours among the analysed voxels, which are numbered in the order of their offsets.
class Neighbours {
 public:
  Neighbours(const Grid& grid, const std::vector<std::int64_t>& voxels);
  std::int64_t voxels() const { return count_; }
  // Those of voxel v; -1: none there.
  std::span<const std::int32_t> of(std::int64_t v) const {
    return {table_.data() + v * ways_, static_cast<std::size_t>(ways_)};
  }

 private:
  std::int64_t count_, ways_;
  std::vector<std::int32_t> table_;
};

struct TfceParameters {
  double extent_power = .5, height_power = 2;
  int steps = 100;
};

// Keeps what a map needs, to be used again for the next. One per thread.
class Tfce {
 public:
  Tfce(const Neighbours& neighbours, const TfceParameters& parameters);
  // `enhanced` has as many values as `map`.
  void enhance(std::span<const float> map, std::span<float> enhanced);

 private:
  void enhance_sign(std::span<const float> map, float sign, double dh, std::span<float> enhanced);
  std::int32_t root(std::int32_t voxel);
  void settle(std::int32_t root, std::int32_t level);
  void join(std::int32_t one, std::int32_t other, std::int32_t level);

  const Neighbours& neighbours_;
  TfceParameters parameters_;
  std::vector<double> extent_;   // extent^E of each number of voxels
  std::vector<double> heights_;  // sums of h^H over the thresholds up to each, with dh = 1
  std::vector<std::int32_t> parent_, size_, settled_, order_, level_, start_;
  std::vector<double> offset_;  // of a voxel against its parent; of a root: its sum so far
};

}  // namespace aladdin::stats
