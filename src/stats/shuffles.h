// Which subjects may change places if the tested effect is not there.
//
//   no blocks                                          any subject with any other
//   blocks, and what is tested varies within them      within each block (repeated scans, matched sets)
//   blocks, and it is the same for a whole block       whole blocks with blocks of the same size
//   the mean is tested, which no shuffling changes     the signs of subjects, or of whole blocks, are flipped
//
// Shuffle k of a seed is the same on every machine, however many there are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aladdin/stats/glm.h"

namespace aladdin::stats {

class Shuffles {
 public:
  // `blocks`: the block of each subject, or empty. Throws where no exchange is possible.
  Shuffles(const Partition& partition, const std::vector<std::string>& blocks, std::uint64_t seed);

  struct Shuffle {
    std::vector<std::int32_t> from;  // subject s gets the value of subject from[s] …
    std::vector<float> sign;         // … times this
  };
  Shuffle draw(std::int64_t number) const;

  bool flips() const { return kind_ == Kind::flip; }
  std::string description() const;
  // log10 of how many different shuffles there are, at most; few of them bound p from below.
  double log10_count() const;

 private:
  enum class Kind { within, whole, flip };
  Kind kind_ = Kind::within;
  std::vector<std::vector<std::int32_t>> sets_;  // subjects of each block, in their order
  bool has_blocks_ = false;
  std::int64_t subjects_;
  std::uint64_t seed_;
};

}  // namespace aladdin::stats
