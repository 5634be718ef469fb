// Overlap of two label maps (Sec. 4.2 of the paper), for structure k:
//
//   Dice_k = 2 |A_k ∩ B_k| / (|A_k| + |B_k|)
//
// Absent structures: one that is in neither map has no value and is not counted; one that is in only
// one of them has 0. The mean of a subject is over the structures that its truth has, so that what
// a subject lacks neither helps nor harms. Nothing here is ever NaN.
//
// Labels are indices into one table for the cohort; index 0, the background, is never a structure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aladdin/image/image.h"

namespace aladdin::evaluate {

using LabelIndex = std::uint16_t;

struct DiceScores {
  std::vector<std::optional<double>> of;  // by label index; [0] is empty
  std::optional<double> mean;             // empty: the truth has no structure at all
  std::vector<bool> in_truth;             // by label index
};
// As `mean`, over some of the structures; empty if the truth has none of them.
std::optional<double> mean_of(const DiceScores& scores, std::span<const LabelIndex> structures);

// `labels` counts the background too. Throws on an index that is not below it.
DiceScores dice(const LabelIndex* predicted, const LabelIndex* truth, std::int64_t voxels,
                int labels);

struct Statistic {
  double mean = 0, sd = 0;  // sd with n - 1; 0 for fewer than two values
  std::int64_t count = 0;
};
Statistic statistic(std::span<const double> values);

// The same from sums, which can be added up.
struct Moments {
  double sum = 0, squares = 0;
  std::int64_t count = 0;

  void add(double value);
  void add(const Moments& other);
  Statistic statistic() const;
};

// Over subjects, as Table 2 of the paper: d_k of every structure, and the mean of the subjects' means.
struct DiceSummary {
  std::vector<Statistic> of;
  Statistic mean;
};
DiceSummary summarise(std::span<const DiceScores> subjects);

// A label map as indices into `table` (ascending, [0] is 0). Throws on a value it does not have.
std::vector<LabelIndex> index_labels(const Labels& labels, const std::vector<std::int32_t>& table);

// Throws unless each index is below `labels`.
void require_indices(const LabelIndex* indices, std::int64_t voxels, int labels);

}  // namespace aladdin::evaluate
