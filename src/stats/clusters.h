// Where the corrected p is at most alpha: neighbours (sharing a face) of the same sign are one cluster.
#pragma once

#include "aladdin/stats/findings.h"
#include "aladdin/stats/tfce.h"

namespace aladdin::stats {

// `p_corrected`: one per analysed voxel of `findings`, whose maps are there already. By p, then by size.
std::vector<Cluster> find_clusters(const Findings& findings, const Neighbours& neighbours,
                                   std::span<const float> p_corrected);

}  // namespace aladdin::stats
