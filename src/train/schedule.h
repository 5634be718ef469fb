// When the training is on which grid, and at which rate.
//
// The training runs through the stages of the pyramid, from coarse to fine. Its progress is a fraction
// of the work, 0 … 1, where each pass of an epoch on the grid coarsened by r counts r^-dims (and an
// epoch a little that does not depend on the voxels). With a budget of minutes the fraction is that of the time instead; the
// stages change at the same fractions.
//
//   constant    rate
//   multistep   rate * decay^(milestones passed)                     the paper's
//   cosine      rate * (1 + cos(pi f)) / 2, rising linearly over the first `warmup`
#pragma once

#include <cstdint>
#include <vector>

#include "aladdin/config/config.h"

namespace aladdin {

struct Stage {
  int coarsening = 1;
  int epochs = 1;  // when the length is given in epochs; optimised: rounds of `atlas.every` of them
  double begin = 0, end = 1;  // fractions of the work
};

class Schedule {
 public:
  Schedule(const Config& config, int dims);

  const std::vector<Stage>& stages() const { return stages_; }
  bool timed() const { return config_.minutes > 0; }
  // epoch counts within the stage, part is the share of it that is done.
  double fraction(std::size_t stage, int epoch, double part) const;
  double fraction_of_time(double seconds) const;
  double rate(double fraction) const;
  // The atlas is not updated any more.
  bool atlas_is_final(double fraction) const {
    return fraction >= (config_.optimises() ? 1 : 1 - config_.last);
  }

 private:
  TrainConfig config_;
  std::vector<Stage> stages_;
};

}  // namespace aladdin
