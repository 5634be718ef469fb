#include "aladdin/evaluate/dice.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin::evaluate {

DiceScores dice(const LabelIndex* predicted, const LabelIndex* truth, std::int64_t voxels,
                int labels) {
  require_indices(predicted, voxels, labels);
  require_indices(truth, voxels, labels);
  std::vector<std::int64_t> in_predicted(labels), in_truth(labels), in_both(labels);
  for (std::int64_t v = 0; v < voxels; ++v) {
    ++in_predicted[predicted[v]];
    ++in_truth[truth[v]];
    in_both[truth[v]] += predicted[v] == truth[v];
  }
  DiceScores scores;
  scores.of.resize(labels);
  scores.in_truth.resize(labels);
  std::vector<LabelIndex> all;
  for (int k = 1; k < labels; ++k) {
    const std::int64_t total = in_predicted[k] + in_truth[k];
    if (total == 0) continue;
    scores.of[k] = 2.0 * static_cast<double>(in_both[k]) / static_cast<double>(total);
    scores.in_truth[k] = in_truth[k] > 0;
    all.push_back(static_cast<LabelIndex>(k));
  }
  scores.mean = mean_of(scores, all);
  return scores;
}

std::optional<double> mean_of(const DiceScores& scores, std::span<const LabelIndex> structures) {
  double sum = 0;
  std::int64_t count = 0;
  for (const LabelIndex k : structures) {
    if (!scores.in_truth.at(k)) continue;
    sum += *scores.of[k];
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

Statistic statistic(std::span<const double> values) {
  Statistic s;
  s.count = static_cast<std::int64_t>(values.size());
  if (values.empty()) return s;
  for (const double value : values) s.mean += value;
  s.mean /= static_cast<double>(s.count);
  if (s.count < 2) return s;
  for (const double value : values) s.sd += (value - s.mean) * (value - s.mean);
  s.sd = std::sqrt(s.sd / static_cast<double>(s.count - 1));
  return s;
}

void Moments::add(double value) {
  sum += value;
  squares += value * value;
  ++count;
}

void Moments::add(const Moments& other) {
  sum += other.sum;
  squares += other.squares;
  count += other.count;
}

Statistic Moments::statistic() const {
  Statistic s;
  s.count = count;
  if (count == 0) return s;
  const auto n = static_cast<double>(count);
  s.mean = sum / n;
  if (count > 1) s.sd = std::sqrt(std::max(0.0, (squares - sum * s.mean) / (n - 1)));
  return s;
}

DiceSummary summarise(std::span<const DiceScores> subjects) {
  DiceSummary summary;
  std::vector<double> values;
  const auto gather = [&](auto&& score) {
    values.clear();
    for (const auto& subject : subjects)
      if (const std::optional<double> value = score(subject)) values.push_back(*value);
    return statistic(values);
  };
  const std::size_t labels = subjects.empty() ? 0 : subjects.front().of.size();
  for (std::size_t k = 0; k < labels; ++k)
    summary.of.push_back(gather([&](const DiceScores& subject) { return subject.of.at(k); }));
  summary.mean = gather([](const DiceScores& subject) { return subject.mean; });
  return summary;
}

std::vector<LabelIndex> index_labels(const Labels& labels, const std::vector<std::int32_t>& table) {
  std::vector<LabelIndex> indices(labels.values.size());
  std::size_t last = 0;  // neighbours are mostly alike
  for (std::size_t v = 0; v < indices.size(); ++v) {
    const std::int32_t value = labels.values[v];
    if (last >= table.size() || table[last] != value) {
      const auto at = std::lower_bound(table.begin(), table.end(), value);
      if (at == table.end() || *at != value)
        fail("a label map has the label {}, which is not among the {} labels of the cohort", value,
             table.size());
      last = static_cast<std::size_t>(at - table.begin());
    }
    indices[v] = static_cast<LabelIndex>(last);
  }
  return indices;
}

void require_indices(const LabelIndex* indices, std::int64_t voxels, int labels) {
  LabelIndex most = 0;
  for (std::int64_t v = 0; v < voxels; ++v) most = std::max(most, indices[v]);
  if (most >= labels) fail("a label map has the index {}, expected one below {}", most, labels);
}

}  // namespace aladdin::evaluate
