// One look at every voxel of a cohort, in parallel: what the working grid and the loader must know
// of each subject before they start. All that is wrong with the voxels is reported together.
#pragma once

#include <functional>
#include <map>

#include "aladdin/image/cohort.h"
#include "aladdin/image/content.h"
#include "aladdin/image/intensity.h"

namespace aladdin {

struct SubjectScan {
  Box content;
  IntensityMap intensity;
  std::map<std::int32_t, std::int64_t> labels;  // voxels of each label but 0
  std::vector<float> thumbnail;                 // thumbnail.h
};

// Throws one Error that lists every subject that cannot be used: damaged voxels, NaN, a constant
// image, fractions in a label map, an empty mask.
std::vector<SubjectScan> scan_cohort(const Cohort& cohort, const IntensityRule& rule = {});
// Scans only the sound subjects; the Error also lists the problems found `before`.
std::vector<SubjectScan> scan_cohort(const Cohort& cohort, const Problems& before);
// Scans only the `wanted` subjects; the others' scans are empty. Ends early, with unusable scans, once given_up() is true.
std::vector<SubjectScan> scan_cohort(
    const Cohort& cohort, const IntensityRule& rule, const std::vector<bool>& wanted,
    const std::function<bool()>& given_up = [] { return false; });

// As text and back, to the bit.
std::string to_json(const SubjectScan& scan);
SubjectScan parse_scan(const std::string& json);

}  // namespace aladdin
