// Findings as files of one folder: maps (NIfTI on the atlas grid; p is 1 and all else 0 outside the analysed part),
// clusters.csv, structures.csv, stats.json. Each is written beside its name and renamed.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "aladdin/core/files.h"
#include "aladdin/stats/findings.h"

namespace aladdin::stats {

// What stats.json says.
nlohmann::ordered_json record_of(const Findings& findings);

void write_findings(const Path& folder, const Findings& findings);

std::string clusters_csv(const Findings& findings);
std::string structures_csv(const Findings& findings);
// The findings as a short text: what was tested, clusters, structures.
std::string to_text(const Findings& findings);

}  // namespace aladdin::stats
