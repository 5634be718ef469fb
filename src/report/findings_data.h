// Inside this folder only: findings as the data of their page, which web/src/stats/study.js reads back.
//
// Volumes are gzip in base64. "atlas": 8 bits per voxel of the grid. "labels": the place of the label in the JSON's
// "labels", 0 for none, 2 bytes each. "mask": 1 where a voxel is analysed; all that follows is of these, in order.
// "map-NAME": 16 bits per voxel, high bytes first, then low ones; code 0 … 65534 runs from `low` to `high`, 65535 is
// not a number; p is stored as its log10. "data": 8 bits per subject of the voxels in "kept", each between the two
// floats in "ranges"; without "kept" they are all there.
#pragma once

#include <string>
#include <vector>

#include "aladdin/stats/findings.h"

namespace aladdin::report {

// What decides which voxels are in a cluster: the strictest p that was computed.
struct Correction {
  std::string map;    // "p_tfce"
  std::string words;  // "family-wise by TFCE"
  const std::vector<float>* p = nullptr;
};
Correction correction_of(const stats::FoundMaps& maps);

// Which voxels keep their data: all, if `most_bytes` hold them; else those of a coarser lattice, the peaks, and as
// many voxels of clusters as fit.
std::vector<bool> kept_voxels(const stats::Findings& findings, std::size_t most_bytes);

// The elements that hold the JSON and the volumes. Throws if the parts of the findings do not fit together.
std::string findings_data_html(const stats::Findings& findings);

}  // namespace aladdin::report
