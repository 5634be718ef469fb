// The page of a statistical test: the map over the atlas with a threshold to move, glass projections, the data at the
// crosshair, structures as a forest plot, tables. One file that loads nothing.
#pragma once

#include <string>

#include "aladdin/stats/findings.h"

namespace aladdin::report {

std::string findings_page(const stats::Findings& findings);

// "< .001", ".034", "1"
std::string format_p(double p);

}  // namespace aladdin::report
