// Evaluations as a table for people, as JSON and as a CSV with a row for each subject. A value that
// does not exist (a structure that nobody has) is "-", null, or an empty field; nothing is ever NaN.
#pragma once

#include <nlohmann/json.hpp>

#include "aladdin/evaluate/evaluation.h"

namespace aladdin::evaluate {

// Structures that belong together, as bone and cartilage in Table 2 of the paper. A subject's value
// is the mean over those that it has.
struct Group {
  std::string name;
  std::vector<std::int32_t> labels;
};

// "bone=1,3". Throws (usage) on anything else.
Group parse_group(const std::string& text);
// Throws (usage) on a label that the evaluation does not have.
void require_labels(const Evaluation& evaluation, std::span<const Group> groups);

// One row of the table, and what it says of each subject.
struct Row {
  std::string name;  // "1", "bone", "mean"
  std::vector<LabelIndex> structures;
  std::string title{};  // for people: "1 femur" where the label has a name
};
// Every structure, the mean of all, every group.
std::vector<Row> rows_of(const Evaluation& evaluation, std::span<const Group> groups);

enum class Measure { bridge, image, atlas, hd95_mm, average_mm };
std::optional<double> value_of(const SubjectScores& subject, Measure measure,
                               std::span<const LabelIndex> structures);
// Over the subjects that have a value.
Statistic statistic_of(const Evaluation& evaluation, Measure measure,
                       std::span<const LabelIndex> structures);

// The mean over the subjects of their means, and the largest of all.
struct InverseError {
  double mean_mm = 0, max_mm = 0;
};
InverseError inverse_error_of(const Evaluation& evaluation);

std::string to_text(const Evaluation& evaluation, std::span<const Group> groups);
nlohmann::ordered_json to_json(const Evaluation& evaluation, std::span<const Group> groups);
std::string to_csv(std::span<const Evaluation> evaluations, std::span<const Group> groups);

}  // namespace aladdin::evaluate
