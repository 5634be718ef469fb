// What the viewer of a page needs: a description as JSON, and volumes as base64 of gzip.
#pragma once

#include "aladdin/report/figures/figures.h"

namespace aladdin::report {

// The description of all runs. Volumes are named "<run>-atlas", "<run>-labels", "<run>-variability",
// "<run>-probabilities" and "<run>-subject-<n>"; those that the page does not hold are fetched as
// data/<name> from `aladdin report --serve`.
Json viewer_json(std::span<const RunFindings> runs, const std::vector<std::string>& embedded);

// One volume by its name, gzip. Throws if there is none. The layout of subjects is that of pack();
// the others are a byte a voxel: atlas 0 … 1, variability 0 … its maximum, probabilities 0 … 1 (all
// labels but the background, one after the other); labels as in pack().
Bytes volume(std::span<const RunFindings> runs, const std::string& name);

// <script> elements of the volumes that fit, the atlas always; their names are added to `embedded`.
std::string embedded_html(std::span<const RunFindings> runs, std::size_t budget_bytes,
                          std::vector<std::string>& embedded);

}  // namespace aladdin::report
