#include "aladdin/evaluate/bridge.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/sparse_votes.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/transform/point_map.h"

namespace aladdin::evaluate {
namespace {

constexpr double kWholeVote = 1 << 15;

template <class T>
LabelIndex plurality(const T* votes, int labels) {
  int best = 0;
  for (int k = 1; k < labels; ++k)
    if (votes[k] > votes[best]) best = k;
  return static_cast<LabelIndex>(best);
}

Vec3 clamped(Vec3 index, const Size3& size) {
  for (int c = 0; c < 3; ++c)
    index[c] = std::clamp(index[c], 0.0, static_cast<double>(size[c] - 1));
  return index;
}

Grid unit_grid(const kernels::Shape& shape) {
  Grid grid;
  grid.dims = shape.dims;
  grid.size = size_of(shape);
  return grid;
}

}  // namespace

BridgeVotes::BridgeVotes(const kernels::Shape& shape, int labels)
    : BridgeVotes(unit_grid(shape), labels) {}

BridgeVotes::BridgeVotes(const Grid& atlas, int labels)
    : atlas_(atlas), shape_(shape_of(atlas)), labels_(labels) {
  if (labels < 1 || labels > 65536) fail("a vote has {} labels, expected 1 to 65536", labels);
  votes_.assign(static_cast<std::size_t>(shape_.voxels() * labels), 0);
}

template <class ToSubject>
void BridgeVotes::cast(const NativeMap& subject, int sign, const ToSubject& to_subject) {
  require_indices(subject.labels, subject.grid->voxels(), labels_);
  if (sign > 0 && subjects_ == kMostSubjects)
    fail("a vote takes at most {} subjects", kMostSubjects);
  if (sign < 0 && subjects_ == 0) fail("a subject cannot be removed from a vote without subjects");
  const auto factor = static_cast<std::uint32_t>(sign);  // -1 is taken modulo 2^32
  const Reach reach =
      reach_of(subject.grid->size, [&](std::int64_t v) { return subject.labels[v] != 0; });
  for_each_voxel(shape_, [&](std::int64_t v, const Vec3& x) {
    std::uint32_t* row = votes_.data() + v * labels_;
    const Vec3 at = to_subject(v, x);
    if (reach.misses(at)) {
      row[0] += factor * static_cast<std::uint32_t>(kWholeVote);
      return;
    }
    for_each_vote(subject.labels, subject.grid->size, at, [&](LabelIndex label, double weight) {
      // NOLINTNEXTLINE(bugprone-incorrect-roundings): it is not negative
      row[label] += factor * static_cast<std::uint32_t>(kWholeVote * weight + 0.5);
    });
  });
  subjects_ += sign;
}

void BridgeVotes::sum_over(const std::function<void(std::uint32_t*, std::size_t)>& sum,
                           std::int64_t all) {
  if (all > kMostSubjects) fail("a vote takes at most {} subjects", kMostSubjects);
  sum(votes_.data(), votes_.size());
  subjects_ = all;
}

void BridgeVotes::add(const LabelIndex* labels, const float* u_to_subject) {
  cast({labels, &atlas_}, 1,
       [&](std::int64_t v, const Vec3& x) { return moved(x, u_to_subject, v, shape_); });
}

void BridgeVotes::remove(const LabelIndex* labels, const float* u_to_subject) {
  cast({labels, &atlas_}, -1,
       [&](std::int64_t v, const Vec3& x) { return moved(x, u_to_subject, v, shape_); });
}

void BridgeVotes::add(const NativeMap& subject, const Chain& native_to_atlas) {
  require_dims(native_to_atlas, atlas_.dims);
  const PointMap map(atlas_, native_to_atlas, *subject.grid);
  cast(subject, 1, [&](std::int64_t, const Vec3& x) { return map(x); });
  map.report();
}

void BridgeVotes::remove(const NativeMap& subject, const Chain& native_to_atlas) {
  require_dims(native_to_atlas, atlas_.dims);
  const PointMap map(atlas_, native_to_atlas, *subject.grid);
  cast(subject, -1, [&](std::int64_t, const Vec3& x) { return map(x); });
}

void BridgeVotes::consensus(LabelIndex* out) const {
  for_each_voxel(shape_, [&](std::int64_t v, const Vec3&) {
    out[v] = plurality(votes_.data() + v * labels_, labels_);
  });
}

void BridgeVotes::probability(int label, float* out) const {
  if (label < 0 || label >= labels_) fail("a vote has no label {} of {}", label, labels_);
  if (subjects_ == 0) fail("a vote without subjects has no probabilities");
  // The weights of a voxel are rounded one by one: divide by their sum, not by the subjects.
  for_each_voxel(shape_, [&](std::int64_t v, const Vec3&) {
    const std::uint32_t* row = votes_.data() + v * labels_;
    double all = 0;
    for (int k = 0; k < labels_; ++k) all += row[k];
    out[v] = static_cast<float>(row[label] / all);
  });
}

template <class ToAtlas>
void BridgeVotes::pull(const kernels::Shape& shape, LabelIndex* out, const ToAtlas& to_atlas,
                       const CarriedLabels& carried) const {
  SparseVotes<std::uint32_t> sparse;
  sparse.first.reserve(static_cast<std::size_t>(shape_.voxels()) + 1);
  for (std::int64_t v = 0; v < shape_.voxels(); ++v)
    sparse.append_voxel(labels_, [&](int k) { return votes_[v * labels_ + k]; });
  const Reach reach = reach_of(atlas_.size, [&](std::int64_t v) {
    const std::int64_t last = sparse.first[v + 1] - 1;
    return last >= sparse.first[v] && sparse.label[last] != 0;
  });
  for_each_row(shape, [&](std::int64_t begin, Vec3 x) {
    Ballot ballot(labels_);
    for (std::int64_t v = begin; v < begin + shape.w; ++v, ++x[0]) {
      const Vec3 there = to_atlas(v, x), at = clamped(there, atlas_.size);
      if (carried.out) {
        for_each_vote(carried.atlas, atlas_.size, there, ballot);
        carried.out[v] = ballot.close();
      }
      out[v] = 0;
      if (reach.misses(at)) continue;
      sparse.at(cell_of(atlas_.size, at), ballot);
      out[v] = ballot.close();
    }
  });
}

void BridgeVotes::predict(const float* u_to_atlas, LabelIndex* out) const {
  pull(shape_, out, [&](std::int64_t v, const Vec3& x) { return moved(x, u_to_atlas, v, shape_); });
}

void BridgeVotes::predict(const Chain& atlas_to_native, const Grid& native, LabelIndex* out,
                          const CarriedLabels& carried) const {
  require_dims(atlas_to_native, atlas_.dims);
  const PointMap map(native, atlas_to_native, atlas_);
  pull(
      shape_of(native), out, [&](std::int64_t, const Vec3& x) { return map(x); }, carried);
  map.report();
}

void BridgeVotes::require_others() const {
  if (subjects_ < 2)
    fail("a leave-one-out vote needs two subjects or more, there {} {}",
         subjects_ == 1 ? "is" : "are", subjects_);
}

void BridgeVotes::predict_left_out(const LabelIndex* labels, const float* u_to_subject,
                                   const float* u_to_atlas, LabelIndex* out) {
  require_others();
  remove(labels, u_to_subject);
  predict(u_to_atlas, out);
  add(labels, u_to_subject);
}

DiceScores BridgeVotes::dice(const LabelIndex* labels, const float* u_to_subject,
                             const float* u_to_atlas) {
  std::vector<LabelIndex> predicted(static_cast<std::size_t>(shape_.voxels()));
  predict_left_out(labels, u_to_subject, u_to_atlas, predicted.data());
  return evaluate::dice(predicted.data(), labels, shape_.voxels(), labels_);
}

DiceScores BridgeVotes::dice(const NativeMap& subject, const Chain& native_to_atlas,
                             const Chain& atlas_to_native) {
  require_others();
  std::vector<LabelIndex> predicted(static_cast<std::size_t>(subject.grid->voxels()));
  remove(subject, native_to_atlas);
  predict(atlas_to_native, *subject.grid, predicted.data());
  add(subject, native_to_atlas);
  return evaluate::dice(predicted.data(), subject.labels, subject.grid->voxels(), labels_);
}

}  // namespace aladdin::evaluate
