// What the page draws the data against: the tested covariate as it was given, or the group of each subject.
#pragma once

#include "aladdin/stats/design.h"
#include "aladdin/stats/findings.h"

namespace aladdin::stats {

// Fills `tested` and `tested_name`, or `groups`. A test of several terms is drawn against the combination of
// columns that it weights.
void put_scatter(const Formula& formula, const Design& design, const Contrast& contrast,
                 const Table& table, Findings& findings);

}  // namespace aladdin::stats
