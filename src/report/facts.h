// The facts of a run as HTML: its cohort, settings and versions, and how to reproduce it.
#pragma once

#include "aladdin/report/figures/figures.h"

namespace aladdin::report {

std::string tiles_html(const RunFindings& run);
// One row per subject; subjects that the viewer has are buttons.
std::string subjects_html(const RunFindings& run);
std::string cohort_html(const RunFindings& run);
std::string settings_html(const RunFindings& run);
std::string reproduce_html(const RunFindings& run);

// The paper's Table 2: one row per run, d^bridge as mean (sd) in percent, folds per subject; then the
// paired tests. Empty with fewer than two evaluated runs.
std::string comparison_html(std::span<const RunFindings> runs,
                            std::span<const evaluate::Group> groups);
// The same rows as a CSV.
std::string comparison_csv(std::span<const RunFindings> runs,
                           std::span<const evaluate::Group> groups);

}  // namespace aladdin::report
