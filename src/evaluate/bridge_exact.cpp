#include "aladdin/evaluate/bridge_exact.h"

#include <algorithm>
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

// The atlas points from which a subject's structures can be reached at all.
Reach reach_from_atlas(const BridgeSubject& subject, const kernels::Shape& shape) {
  const Reach reach =
      reach_of(size_of(shape), [&](std::int64_t v) { return subject.labels[v] != 0; });
  Vec3 least{0, 0, 0}, most{0, 0, 0};
  for (int c = 0; c < shape.dims; ++c) {
    const float* u = subject.u_to_subject + c * shape.voxels();
    const auto [low, high] = std::minmax_element(u, u + shape.voxels());
    least[c] = *low;
    most[c] = *high;
  }
  return reach.before(least, most);
}

std::vector<Reach> reaches(std::span<const BridgeSubject> subjects, const kernels::Shape& shape,
                           int labels) {
  require_others(subjects.size());
  std::vector<Reach> all(subjects.size());
  parallel_for(static_cast<std::int64_t>(subjects.size()), [&](std::int64_t j) {
    require_indices(subjects[j].labels, shape.voxels(), labels);
    all[j] = reach_from_atlas(subjects[j], shape);
  });
  return all;
}

void predict(std::span<const BridgeSubject> subjects, const std::vector<Reach>& reach,
             std::size_t subject, const kernels::Shape& shape, int labels, LabelIndex* out) {
  const Size3 size = size_of(shape);
  for_each_row(shape, [&](std::int64_t begin, Vec3 x) {
    Ballot ballot(labels);
    for (std::int64_t v = begin; v < begin + shape.w; ++v, ++x[0]) {
      const Vec3 on_atlas = moved(x, subjects[subject].u_to_atlas, v, shape);
      const Cell cell = cell_of(size, on_atlas);
      for (std::size_t j = 0; j < subjects.size(); ++j) {
        if (j == subject) continue;
        if (reach[j].misses(on_atlas)) {
          ballot(0, 1.0);
          continue;
        }
        Vec3 at = on_atlas;
        for (int c = 0; c < shape.dims; ++c)
          at[c] += linear_at(subjects[j].u_to_subject + c * shape.voxels(), cell);
        for_each_vote(subjects[j].labels, size, at, ballot);
      }
      out[v] = ballot.close();
    }
  });
}

}  // namespace

void predict_exact(std::span<const BridgeSubject> subjects, std::size_t subject,
                   const kernels::Shape& shape, int labels, LabelIndex* out) {
  if (subject >= subjects.size()) fail("there is no subject {} among {}", subject, subjects.size());
  predict(subjects, reaches(subjects, shape, labels), subject, shape, labels, out);
}

std::vector<DiceScores> bridge_exact(std::span<const BridgeSubject> subjects,
                                     const kernels::Shape& shape, int labels) {
  const auto reach = reaches(subjects, shape, labels);
  std::vector<DiceScores> scores;
  std::vector<LabelIndex> predicted(static_cast<std::size_t>(shape.voxels()));
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    predict(subjects, reach, i, shape, labels, predicted.data());
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
