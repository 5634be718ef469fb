#include "aladdin/evaluate/consensus.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"

namespace aladdin::evaluate {
namespace {

constexpr std::int64_t kGrain = 16384;

struct Moments {
  double sum = 0, squares = 0;
  std::int64_t count = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  void add(const Moments& other) {
    sum += other.sum;
    squares += other.squares;
    count += other.count;
  }
  Statistic statistic() const {
    Statistic s;
    s.count = count;
    if (count == 0) return s;
    const auto n = static_cast<double>(count);
    s.mean = sum / n;
    if (count > 1) s.sd = std::sqrt(std::max(0.0, (squares - sum * s.mean) / (n - 1)));
    return s;
  }
};

}  // namespace

void pull_labels(const LabelIndex* labels, const float* u, const kernels::Shape& shape, int count,
                 LabelIndex* out) {
  require_indices(labels, shape.voxels(), count);
  const Size3 size = size_of(shape);
  for_each_row(shape, [&](std::int64_t begin, Vec3 x) {
    Ballot ballot(count);
    for (std::int64_t v = begin; v < begin + shape.w; ++v, ++x[0]) {
      for_each_vote(labels, size, moved(x, u, v, shape), ballot);
      out[v] = ballot.close();
    }
  });
}

void AtlasSpace::add(const LabelIndex* pulled) {
  require_indices(pulled, voxels_, labels_);
  maps_.emplace_back(pulled, pulled + voxels_);
}

std::vector<LabelIndex> AtlasSpace::consensus() const {
  if (maps_.empty()) fail("a consensus needs at least one subject");
  std::vector<LabelIndex> out(static_cast<std::size_t>(voxels_));
  parallel_ranges(voxels_, kGrain, [&](std::int64_t begin, std::int64_t end) {
    Ballot ballot(labels_);
    for (std::int64_t v = begin; v < end; ++v) {
      for (const auto& map : maps_) ballot(map[v], 1.0);
      out[v] = ballot.close();
    }
  });
  return out;
}

std::vector<DiceScores> AtlasSpace::consensus_dice() const {
  const std::vector<LabelIndex> vote = consensus();
  std::vector<DiceScores> scores(maps_.size());
  parallel_for(static_cast<std::int64_t>(maps_.size()), [&](std::int64_t i) {
    scores[i] = dice(vote.data(), maps_[i].data(), voxels_, labels_);
  });
  return scores;
}

DiceSummary AtlasSpace::pair_dice() const {
  if (maps_.size() < 2) fail("a pairwise measure needs two subjects or more");
  // Where all have background no pair shares a structure.
  std::vector<std::int64_t> used;
  for (std::int64_t v = 0; v < voxels_; ++v)
    if (std::any_of(maps_.begin(), maps_.end(), [&](const auto& map) { return map[v] != 0; }))
      used.push_back(v);
  std::vector<std::vector<LabelIndex>> compact(maps_.size());
  for (std::size_t i = 0; i < maps_.size(); ++i)
    for (const std::int64_t v : used) compact[i].push_back(maps_[i][v]);

  const std::size_t subjects = maps_.size();
  std::vector<std::vector<Moments>> rows(subjects, std::vector<Moments>(labels_));
  parallel_for(static_cast<std::int64_t>(subjects), [&](std::int64_t i) {
    for (std::size_t j = i + 1; j < subjects; ++j) {
      const auto scores = dice(compact[i].data(), compact[j].data(),
                               static_cast<std::int64_t>(used.size()), labels_);
      Moments pair;
      for (int k = 1; k < labels_; ++k) {
        if (!scores.of[k]) continue;
        rows[i][k].add(*scores.of[k]);
        pair.add(*scores.of[k]);
      }
      if (pair.count > 0) rows[i][0].add(pair.statistic().mean);
    }
  });
  std::vector<Moments> all(labels_);
  for (const auto& row : rows)
    for (int k = 0; k < labels_; ++k) all[k].add(row[k]);
  DiceSummary summary;
  summary.of.resize(labels_);
  for (int k = 1; k < labels_; ++k) summary.of[k] = all[k].statistic();
  summary.mean = all[0].statistic();
  return summary;
}

}  // namespace aladdin::evaluate
