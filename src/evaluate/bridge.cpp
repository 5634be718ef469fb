#include "aladdin/evaluate/bridge.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"

namespace aladdin::evaluate {
namespace {

constexpr double kWholeVote = 1 << 18;

template <class T>
LabelIndex plurality(const T* votes, int labels) {
  int best = 0;
  for (int k = 1; k < labels; ++k)
    if (votes[k] > votes[best]) best = k;
  return static_cast<LabelIndex>(best);
}

}  // namespace

BridgeVotes::BridgeVotes(const kernels::Shape& shape, int labels) : shape_(shape), labels_(labels) {
  if (labels < 1 || labels > 65536) fail("a vote has {} labels, expected 1 to 65536", labels);
  votes_.assign(static_cast<std::size_t>(shape.voxels() * labels), 0);
}

void BridgeVotes::cast(const LabelIndex* labels, const float* u_to_subject, bool take_back) {
  const Size3 size = size_of(shape_);
  for_each_voxel(shape_, [&](std::int64_t v, const Vec3& x) {
    std::uint32_t* row = votes_.data() + v * labels_;
    for_each_vote(labels, size, moved(x, u_to_subject, v, shape_),
                  [&](LabelIndex label, double weight) {
                    const auto share = static_cast<std::uint32_t>(kWholeVote * weight + 0.5);
                    row[label] += take_back ? 0U - share : share;
                  });
  });
}

void BridgeVotes::add(const LabelIndex* labels, const float* u_to_subject) {
  require_indices(labels, shape_.voxels(), labels_);
  if (subjects_ == kMostSubjects) fail("a vote takes at most {} subjects", kMostSubjects);
  cast(labels, u_to_subject, false);
  ++subjects_;
}

void BridgeVotes::remove(const LabelIndex* labels, const float* u_to_subject) {
  require_indices(labels, shape_.voxels(), labels_);
  if (subjects_ == 0) fail("a subject was taken out of a vote that has none");
  cast(labels, u_to_subject, true);
  --subjects_;
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

void BridgeVotes::predict(const float* u_to_atlas, LabelIndex* out) const {
  const Size3 size = size_of(shape_);
  for_each_row(shape_, [&](std::int64_t begin, Vec3 x) {
    std::vector<double> sum(static_cast<std::size_t>(labels_));
    for (std::int64_t v = begin; v < begin + shape_.w; ++v, ++x[0]) {
      const Cell cell = cell_of(size, moved(x, u_to_atlas, v, shape_));
      std::fill(sum.begin(), sum.end(), 0.0);
      for (int c = 0; c < 8; ++c) {
        double weight = 1;
        std::int64_t at = cell.at;
        for (int axis = 0; axis < 3; ++axis) {
          weight *= c >> axis & 1 ? cell.t[axis] : 1 - cell.t[axis];
          if (c >> axis & 1) at += cell.step[axis];
        }
        if (weight == 0) continue;
        const std::uint32_t* row = votes_.data() + at * labels_;
        for (int k = 0; k < labels_; ++k) sum[k] += weight * row[k];
      }
      out[v] = plurality(sum.data(), labels_);
    }
  });
}

void BridgeVotes::predict_left_out(const LabelIndex* labels, const float* u_to_subject,
                                   const float* u_to_atlas, LabelIndex* out) {
  if (subjects_ < 2)
    fail("a leave-one-out vote needs two subjects or more, there {} {}",
         subjects_ == 1 ? "is" : "are", subjects_);
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

}  // namespace aladdin::evaluate
