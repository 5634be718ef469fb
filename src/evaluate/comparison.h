// Several evaluations side by side: d^bridge of every two of them, paired by subject, for every row of
// their tables (significance.h). Holm's correction is over all tests of one comparison.
#pragma once

#include "aladdin/evaluate/evaluation_report.h"

namespace aladdin::evaluate {

struct PairedTest {
  std::string first, second;  // names of the evaluations
  std::string row;
  double difference = 0;      // mean of first - second, over the subjects that both have
  std::int64_t subjects = 0;  // as many
  double p = 1, p_holm = 1;
};

// Compares those with labels. Throws if two evaluations have no subject in common.
std::vector<PairedTest> compare(std::span<const Evaluation> evaluations,
                                std::span<const Group> groups);

// A line for each evaluation with its d^bridge, then a line for each test.
std::string to_text(std::span<const Evaluation> evaluations, std::span<const Group> groups,
                    std::span<const PairedTest> tests);
nlohmann::ordered_json to_json(std::span<const PairedTest> tests);

}  // namespace aladdin::evaluate
