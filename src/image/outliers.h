// Subjects that are unlike the others of their cohort: a field of view of another size, another spacing, other axes,
// other intensities or contrast. Each may be right, and none is refused; but one wrong file can cost the whole atlas.
//
// Unlike are at most a quarter of a cohort of three or more; what more of them have is in the nature of the cohort.
#pragma once

#include "aladdin/image/cohort.h"
#include "aladdin/image/scan.h"

namespace aladdin {

struct Outliers {
  // Sentences for the user, one for each way to be unlike: whom, how, and how to leave them out.
  std::vector<std::string> notes;
  // One a subject: its content is so much larger that the working grid is made without it.
  std::vector<bool> large;
};

Outliers find_outliers(const Cohort& cohort, const std::vector<SubjectScan>& scans);

}  // namespace aladdin
