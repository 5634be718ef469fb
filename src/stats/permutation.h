// Permutation inference of Freedman and Lane: what the nuisance explains is taken out, the rest is shuffled (or its
// signs are flipped), and the whole model is fitted again. For one data set and one test:
//
//   counts          how often a row's shuffled statistic is at least as large as its own (two-sided for t)
//   maxima          the largest absolute statistic of each shuffle
//   tfce_maxima     the same after TFCE
//
// Shuffles come in batches; rows are streamed through a matrix product (product.h). The state after any batch can be
// kept in a file and resumed: the result has the same bits.
#pragma once

#include <functional>
#include <optional>

#include "aladdin/core/files.h"
#include "aladdin/stats/shuffles.h"
#include "aladdin/stats/tfce.h"

namespace aladdin::stats {

// Values of every row (voxel or structure) and subject: [row * subjects + subject].
struct Data {
  std::int64_t rows = 0, subjects = 0;
  std::vector<float> values;

  std::span<const float> row(std::int64_t r) const {
    return {values.data() + r * subjects, static_cast<std::size_t>(subjects)};
  }
};

struct PermutationOptions {
  std::int64_t count = 5000;
  bool tfce = true;  // only with neighbours
  TfceParameters tfce_parameters;
  Path state;  // "": none is kept
  bool resume = false;
  std::function<void(std::int64_t)> advance;  // is told how many more are done; may be empty
};

struct Permutations {
  std::int64_t done = 0;
  std::vector<std::int32_t> counts;
  std::vector<float> maxima, tfce_maxima;
};

// The statistic of every row, in double, as all results are shown.
std::vector<Fit> fit_all(const Partition& partition, const Data& data);

// `observed`: the statistic of every row. `neighbours` may be null: no TFCE. Throws Interrupted after a
// batch when a stop is requested (core/interrupt.h), with the state written.
Permutations permute(const Partition& partition, const Shuffles& shuffles, const Data& data,
                     std::span<const float> observed, const Neighbours* neighbours,
                     const PermutationOptions& options);

}  // namespace aladdin::stats
