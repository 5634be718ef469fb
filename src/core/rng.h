// Random numbers that are the same on every machine and for any thread count: xoshiro256++ seeded
// by splitmix64 from (seed, stream). Give every subject, epoch or tile its own stream.
#pragma once

#include <array>
#include <cstdint>

namespace aladdin {

class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  double uniform();                         // [0, 1)
  double uniform(double low, double high);  // [low, high)
  double normal();                          // mean 0, standard deviation 1 (Box-Muller)
  std::int64_t below(std::int64_t bound);   // 0 … bound - 1, unbiased; bound > 0

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace aladdin
