// Measures of many subjects, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "aladdin/measure/structures.h"

namespace aladdin::measure {

// One line per subject and structure, of what belongs together in `source` and `measures`:
//   id,split,<covariates …>,label,structure,volume,jacobian_volume,log_jacobian,relative_log_jacobian
// What has no value is empty. A covariate that has the name of one of these columns is called
// cohort_<name>.
std::string to_csv(const evaluate::Source& source, std::span<const SubjectMeasures> measures);

// Mean and standard deviation over the subjects of each structure: {"label", "name", "volume": {"mean",
// "sd"} or null, …}.
nlohmann::ordered_json structures_json(std::span<const SubjectMeasures> measures);

// The same as a table; `dims` says which unit volumes have.
std::string to_text(std::span<const SubjectMeasures> measures, int dims);

}  // namespace aladdin::measure
