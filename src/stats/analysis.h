// One test of one model, from data to findings: fits, permutations, corrections, clusters, structures.
#pragma once

#include <functional>

#include "aladdin/stats/correction.h"
#include "aladdin/stats/design.h"
#include "aladdin/stats/findings.h"
#include "aladdin/stats/permutation.h"

namespace aladdin::stats {

struct AnalysisOptions {
  std::int64_t permutations = 5000;  // 0: none, only the distributions
  bool tfce = true;
  Tail tail = Tail::empirical;
  std::uint64_t seed = 0;
  Path state;                                 // of the permutations of the voxels; "": none is kept
  bool resume = false;                        // from `state`
  std::function<void(std::int64_t)> advance;  // is told how many more permutations are done
};

// What the volumes of structures are: one row each of `volumes`, in the order of `labels` and `names`.
struct StructureData {
  std::vector<std::int32_t> labels;
  std::vector<std::string> names;
  Data volumes;
};

// `findings` comes with its atlas, labels, names, voxels and data, and leaves with all the rest.
// `blocks`: the exchangeability block of each subject, or empty.
void analyse(const Design& design, const Contrast& contrast, const std::vector<std::string>& blocks,
             const StructureData& structures, const AnalysisOptions& options, Findings& findings);

}  // namespace aladdin::stats
