#include "aladdin/evaluate/consensus.h"

#include <algorithm>
#include <bit>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"

namespace aladdin::evaluate {
namespace {

constexpr std::int64_t kGrain = 16384;

// One structure in all maps, a bit for every voxel that it has in any of them: M^2 overlaps are then
// quick beside reading M subjects.
class StructureBits {
 public:
  StructureBits(const std::vector<std::vector<LabelIndex>>& maps, LabelIndex label) {
    std::vector<char> any(maps.front().size());
    for (const auto& map : maps)
      for (std::size_t v = 0; v < map.size(); ++v) any[v] |= map[v] == label;
    std::vector<std::size_t> used;
    for (std::size_t v = 0; v < any.size(); ++v)
      if (any[v]) used.push_back(v);
    words_ = (used.size() + 63) / 64;
    bits_.resize(words_ * maps.size());
    voxels_.resize(maps.size());
    for (std::size_t i = 0; i < maps.size(); ++i)
      for (std::size_t u = 0; u < used.size(); ++u) {
        if (maps[i][used[u]] != label) continue;
        bits_[i * words_ + u / 64] |= std::uint64_t{1} << u % 64;
        ++voxels_[i];
      }
  }

  // Nothing if neither has the structure.
  std::optional<double> dice(std::size_t i, std::size_t j) const {
    const std::int64_t total = voxels_[i] + voxels_[j];
    if (total == 0) return std::nullopt;
    std::int64_t both = 0;
    for (std::size_t w = 0; w < words_; ++w)
      both += std::popcount(bits_[i * words_ + w] & bits_[j * words_ + w]);
    return 2.0 * static_cast<double>(both) / static_cast<double>(total);
  }

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<std::int64_t> voxels_;
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

std::vector<Moments> AtlasSpace::pair_moments(const Shard& share) const {
  if (maps_.size() < 2) fail("a pairwise measure needs two subjects or more");
  std::vector<StructureBits> structures;
  for (int k = 1; k < labels_; ++k) structures.emplace_back(maps_, static_cast<LabelIndex>(k));
  const std::size_t subjects = maps_.size();
  std::vector<std::vector<Moments>> rows(subjects, std::vector<Moments>(labels_));
  parallel_for(static_cast<std::int64_t>(subjects), [&](std::int64_t i) {
    if (!share.has(i)) return;
    for (std::size_t j = i + 1; j < subjects; ++j) {
      Moments pair;
      for (int k = 1; k < labels_; ++k) {
        const auto score = structures[k - 1].dice(i, j);
        if (!score) continue;
        rows[i][k].add(*score);
        pair.add(*score);
      }
      if (pair.count > 0) rows[i][0].add(pair.statistic().mean);
    }
  });
  std::vector<Moments> all(labels_);
  for (const auto& row : rows)
    for (int k = 0; k < labels_; ++k) all[k].add(row[k]);
  return all;
}

DiceSummary pair_summary(std::span<const Moments> moments) {
  DiceSummary summary;
  for (const Moments& structure : moments) summary.of.push_back(structure.statistic());
  summary.mean = summary.of.at(0);
  summary.of[0] = {};
  return summary;
}

DiceSummary AtlasSpace::pair_dice() const { return pair_summary(pair_moments({})); }

}  // namespace aladdin::evaluate
