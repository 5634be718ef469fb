#include "aladdin/evaluate/bridge_exact.h"

#include <deque>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/transform/point_map.h"

namespace aladdin::evaluate {
namespace {

void require_others(std::size_t subjects) {
  if (subjects < 2)
    fail("a leave-one-out vote needs two subjects or more, there {} {}",
         subjects == 1 ? "is" : "are", subjects);
}

}  // namespace

void predict_exact(std::span<const BridgeSubject> subjects, std::size_t subject,
                   const kernels::Shape& shape, int labels, LabelIndex* out) {
  require_others(subjects.size());
  if (subject >= subjects.size()) fail("there is no subject {} among {}", subject, subjects.size());
  for (std::size_t j = 0; j < subjects.size(); ++j)
    if (j != subject) require_indices(subjects[j].labels, shape.voxels(), labels);
  const Size3 size = size_of(shape);
  for_each_row(shape, [&](std::int64_t begin, Vec3 x) {
    Ballot ballot(labels);
    for (std::int64_t v = begin; v < begin + shape.w; ++v, ++x[0]) {
      const Vec3 on_atlas = moved(x, subjects[subject].u_to_atlas, v, shape);
      const Cell cell = cell_of(size, on_atlas);
      for (std::size_t j = 0; j < subjects.size(); ++j) {
        if (j == subject) continue;
        Vec3 at = on_atlas;
        for (int c = 0; c < shape.dims; ++c)
          at[c] += linear_at(subjects[j].u_to_subject + c * shape.voxels(), cell);
        for_each_vote(subjects[j].labels, size, at, ballot);
      }
      out[v] = ballot.close();
    }
  });
}

std::vector<DiceScores> bridge_exact(std::span<const BridgeSubject> subjects,
                                     const kernels::Shape& shape, int labels) {
  std::vector<DiceScores> scores;
  std::vector<LabelIndex> predicted(static_cast<std::size_t>(shape.voxels()));
  require_others(subjects.size());
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    predict_exact(subjects, i, shape, labels, predicted.data());
    scores.push_back(dice(predicted.data(), subjects[i].labels, shape.voxels(), labels));
  }
  return scores;
}

NativeBridge::NativeBridge(std::span<const NativeSubject> subjects,
                           const std::vector<std::int32_t>& table)
    : labels_(static_cast<int>(table.size())) {
  require_others(subjects.size());
  const int dims = subjects.front().labels->grid.dims;
  for (const auto& subject : subjects) {
    if (subject.labels->grid.dims != dims)
      fail("a label map is {}-D, the first one of the cohort {}-D", subject.labels->grid.dims,
           dims);
    require_dims(*subject.native_to_atlas, dims);
    require_dims(*subject.atlas_to_native, dims);
    subjects_.push_back({subject.labels->grid, index_labels(*subject.labels, table),
                         subject.native_to_atlas, subject.atlas_to_native});
  }
}

std::vector<LabelIndex> NativeBridge::predict(std::size_t subject) const {
  const Subject& own = subjects_.at(subject);
  const PointMap to_atlas(own.grid, *own.atlas_to_native);
  std::vector<const Subject*> others;
  std::deque<PointMap> maps;  // atlas points to the other's native points
  std::vector<Affine> to_index;
  for (const auto& other : subjects_) {
    if (&other == &own) continue;
    others.push_back(&other);
    maps.emplace_back(*other.native_to_atlas);
    to_index.push_back(to_indices(other.grid));
  }
  std::vector<LabelIndex> out(own.labels.size());
  for_each_row(shape_of(own.grid), [&](std::int64_t begin, Vec3 x) {
    Ballot ballot(labels_);
    for (std::int64_t v = begin; v < begin + own.grid.size[0]; ++v, ++x[0]) {
      const Vec3 on_atlas = to_atlas(x);
      for (std::size_t j = 0; j < others.size(); ++j)
        for_each_vote(others[j]->labels.data(), others[j]->grid.size,
                      to_index[j](maps[j](on_atlas)), ballot);
      out[v] = ballot.close();
    }
  });
  to_atlas.report();
  for (const auto& map : maps) map.report();
  return out;
}

DiceScores NativeBridge::dice(std::size_t subject) const {
  const std::vector<LabelIndex> predicted = predict(subject);
  const Subject& own = subjects_[subject];
  return evaluate::dice(predicted.data(), own.labels.data(), own.grid.voxels(), labels_);
}

std::vector<DiceScores> bridge_exact(std::span<const NativeSubject> subjects,
                                     const std::vector<std::int32_t>& table) {
  const NativeBridge bridge(subjects, table);
  std::vector<DiceScores> scores;
  for (std::size_t i = 0; i < bridge.size(); ++i) scores.push_back(bridge.dice(i));
  return scores;
}

}  // namespace aladdin::evaluate
