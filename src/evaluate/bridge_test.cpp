#include "aladdin/evaluate/bridge.h"

#include <gtest/gtest.h>

#include <map>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/test_cohort.h"
#include "aladdin/transform/displacement.h"

namespace aladdin::evaluate {
namespace {

using namespace evaluate::testing;
using Map = std::vector<LabelIndex>;

class Bridge : public ::testing::TestWithParam<kernels::Shape> {
 protected:
  const kernels::Shape shape_ = GetParam();

  BridgeVotes votes_of(const std::vector<TestSubject>& cohort) const {
    BridgeVotes votes(shape_, kLabels);
    for (const auto& s : cohort) votes.add(s.labels.data(), s.to_subject.data());
    return votes;
  }
  Map summed(BridgeVotes& votes, const TestSubject& s) const {
    Map out(shape_.voxels());
    votes.predict_left_out(s.labels.data(), s.to_subject.data(), s.to_atlas.data(), out.data());
    return out;
  }
  Map exact(const std::vector<TestSubject>& cohort, std::size_t i) const {
    Map out(shape_.voxels());
    predict_exact(views(cohort), i, shape_, kLabels, out.data());
    return out;
  }
  std::vector<DiceScores> summed_dice(const std::vector<TestSubject>& cohort) const {
    BridgeVotes votes = votes_of(cohort);
    std::vector<DiceScores> scores;
    for (const auto& s : cohort)
      scores.push_back(votes.dice(s.labels.data(), s.to_subject.data(), s.to_atlas.data()));
    return scores;
  }
};
INSTANTIATE_TEST_SUITE_P(Dims, Bridge, ::testing::Values(kVolume, kPicture), [](const auto& shape) {
  return shape.param.dims == 2 ? "Picture" : "Volume";
});

// An even number of voters: there are ties, which go to the smallest label.
TEST_P(Bridge, OfIdentityMapsIsTheVoteOfTheRawLabels) {
  const auto cohort = make_cohort(shape_, 5, 0.0);
  BridgeVotes votes = votes_of(cohort);
  std::int64_t ties = 0;
  for (std::size_t i = 0; i < cohort.size(); ++i) {
    const Map by_sum = summed(votes, cohort[i]), by_pairs = exact(cohort, i);
    for (std::int64_t v = 0; v < shape_.voxels(); ++v) {
      std::map<LabelIndex, int> count;
      for (std::size_t j = 0; j < cohort.size(); ++j)
        if (j != i) ++count[cohort[j].labels[v]];
      LabelIndex best = count.begin()->first;
      for (const auto& [label, n] : count)
        if (n > count[best]) best = label;
      for (const auto& [label, n] : count) ties += label != best && n == count[best];
      ASSERT_EQ(by_sum[v], best);
      ASSERT_EQ(by_pairs[v], best);
    }
  }
  EXPECT_GT(ties, 0);
}

TEST_P(Bridge, OfCopiesIsPerfect) {
  const std::vector<TestSubject> cohort(4, make_subject(shape_, 0.0, 1));
  for (const auto& scores : summed_dice(cohort)) EXPECT_EQ(*scores.mean, 1.0);
  for (const auto& scores : bridge_exact(views(cohort), shape_, kLabels))
    EXPECT_EQ(*scores.mean, 1.0);
}

TEST_P(Bridge, ASubjectNeverVotesForItself) {
  auto cohort = make_cohort(shape_, 4, 2.0);
  BridgeVotes votes = votes_of(cohort);
  const Map by_sum = summed(votes, cohort[1]), by_pairs = exact(cohort, 1),
            other = exact(cohort, 0);
  for (auto& label : cohort[1].labels) label = (label + 2) % kLabels;
  votes = votes_of(cohort);
  EXPECT_EQ(summed(votes, cohort[1]), by_sum);
  EXPECT_EQ(exact(cohort, 1), by_pairs);
  EXPECT_NE(exact(cohort, 0), other);  // but for the others it does
}

TEST_P(Bridge, TheVotesAreUnchangedByLeavingOneOut) {
  const auto cohort = make_cohort(shape_, 4, 2.0);
  BridgeVotes votes = votes_of(cohort);
  const Map first = summed(votes, cohort[0]);
  for (const auto& s : cohort) summed(votes, s);
  EXPECT_EQ(votes.subjects(), 4);
  EXPECT_EQ(summed(votes, cohort[0]), first);
}

// Both directions of a smooth motion of two voxels: the second interpolation costs little.
TEST_P(Bridge, SummedVotesAreCloseToTheExactOnes) {
  const auto cohort = make_cohort(shape_, 8, 2.0);
  const auto exact_scores = bridge_exact(views(cohort), shape_, kLabels);
  const auto sum_scores = summed_dice(cohort);
  const double apart =
      std::abs(summarise(sum_scores).mean.mean - summarise(exact_scores).mean.mean);
  RecordProperty("mean_difference", std::to_string(apart));
  EXPECT_LT(apart, 0.01);
  for (std::size_t i = 0; i < cohort.size(); ++i)
    EXPECT_NEAR(*sum_scores[i].mean, *exact_scores[i].mean, 0.03);
}

// S_j = A o Φ_{1,0,j}: every subject is the atlas moved, so the bridge brings it back.
TEST_P(Bridge, OfTrueMapsIsNearlyPerfectAndOfNoneIsNot) {
  auto cohort = make_cohort(shape_, 6, 3.0);
  BridgeVotes atlas(shape_, kLabels);
  const auto anatomy = make_subject(shape_, 0.0, 99);
  atlas.add(anatomy.labels.data(), anatomy.to_subject.data());
  for (auto& s : cohort) atlas.predict(s.to_atlas.data(), s.labels.data());
  const double with = summarise(bridge_exact(views(cohort), shape_, kLabels)).mean.mean;
  for (auto& s : cohort) {
    std::fill(s.to_subject.begin(), s.to_subject.end(), 0.0F);
    std::fill(s.to_atlas.begin(), s.to_atlas.end(), 0.0F);
  }
  const double without = summarise(bridge_exact(views(cohort), shape_, kLabels)).mean.mean;
  EXPECT_GT(with, 0.95);
  EXPECT_LT(without, with - 0.05);
}

TEST_P(Bridge, HasTheSameBitsForAnyNumberOfThreads) {
  const auto cohort = make_cohort(shape_, 4, 2.0);
  const int before = threads();
  set_threads(1);
  BridgeVotes votes = votes_of(cohort);
  const Map by_sum = summed(votes, cohort[2]), by_pairs = exact(cohort, 2);
  set_threads(3);
  votes = votes_of(cohort);
  EXPECT_EQ(summed(votes, cohort[2]), by_sum);
  EXPECT_EQ(exact(cohort, 2), by_pairs);
  set_threads(before);
}

TEST_P(Bridge, ProbabilitiesAddUpToOneAndTheConsensusIsTheLargest) {
  const auto cohort = make_cohort(shape_, 5, 2.0);
  const BridgeVotes votes = votes_of(cohort);
  std::vector<std::vector<float>> p(kLabels, std::vector<float>(shape_.voxels()));
  for (int k = 0; k < kLabels; ++k) votes.probability(k, p[k].data());
  Map consensus(shape_.voxels());
  votes.consensus(consensus.data());
  for (std::int64_t v = 0; v < shape_.voxels(); ++v) {
    float sum = 0;
    for (int k = 0; k < kLabels; ++k) {
      sum += p[k][v];
      ASSERT_LE(p[k][v], p[consensus[v]][v]);
    }
    ASSERT_NEAR(sum, 1, 1e-6);
  }
}

TEST_P(Bridge, FarOutsideASubjectVotesBackgroundAndNothingIsReadThere) {
  auto cohort = make_cohort(shape_, 3, 0.0);
  for (auto& s : cohort) std::fill(s.labels.begin(), s.labels.end(), LabelIndex{1});
  for (float& u : cohort[0].to_subject) u = 1e6F;
  cohort[1].to_subject[0] = std::nanf("");
  EXPECT_EQ(exact(cohort, 2)[1], 0);  // one for 0, one for 1
  for (float& u : cohort[1].to_subject) u = -1e6F;
  EXPECT_EQ(exact(cohort, 2), Map(shape_.voxels(), 0));
}

TEST_P(Bridge, RefusesALoneSubjectAndAnUnknownLabel) {
  auto cohort = make_cohort(shape_, 1, 0.0);
  EXPECT_THROW(summed_dice(cohort), Error);
  EXPECT_THROW(bridge_exact(views(cohort), shape_, kLabels), Error);
  cohort[0].labels[5] = kLabels;
  EXPECT_THROW(votes_of(cohort), Error);
  BridgeVotes votes(shape_, kLabels);
  EXPECT_THROW(votes.remove(cohort[0].labels.data(), cohort[0].to_subject.data()), Error);
}

Grid grid_of(const kernels::Shape& shape) {
  Grid grid;
  grid.dims = shape.dims;
  grid.size = {shape.w, shape.h, shape.d};
  grid.spacing = shape.dims == 3 ? Vec3{0.7, 1.2, 1.5} : Vec3{0.7, 1.2, 1};
  grid.origin = shape.dims == 3 ? Vec3{-30, 12, 5} : Vec3{-30, 12, 0};
  return grid;
}

Displacement field_in_mm(const Grid& grid, const std::vector<float>& voxels) {
  VectorImage field(grid);
  field.values = voxels;
  Displacement displacement(voxels_to_mm(field));
  displacement.beyond = Beyond::edge;
  return displacement;
}

// Subject j lies in a native space of its own, shifted from the working grid.
TEST_P(Bridge, InNativeSpaceAgreesWithTheWorkingGrid) {
  const auto cohort = make_cohort(shape_, 4, 2.0);
  const std::vector<std::int32_t> table{0, 5, 17, 400};
  std::vector<Labels> labels;
  std::vector<Chain> to_atlas, to_native;
  for (std::size_t j = 0; j < cohort.size(); ++j) {
    const Grid atlas = grid_of(shape_);
    const Vec3 shift{3.0 * double(j), -40.0 * double(j), 0};
    labels.emplace_back(atlas);
    labels.back().grid.origin = atlas.origin + shift;
    for (std::int64_t v = 0; v < shape_.voxels(); ++v)
      labels.back().values[v] = table[cohort[j].labels[v]];
    to_atlas.push_back({field_in_mm(atlas, cohort[j].to_subject), translation(shift, shape_.dims)});
    to_native.push_back(
        {translation(-1.0 * shift, shape_.dims), field_in_mm(atlas, cohort[j].to_atlas)});
  }
  std::vector<NativeSubject> subjects;
  for (std::size_t j = 0; j < cohort.size(); ++j)
    subjects.push_back({&labels[j], &to_atlas[j], &to_native[j]});
  const NativeBridge bridge(subjects, table);
  std::int64_t differ = 0;
  for (std::size_t i = 0; i < cohort.size(); ++i) {
    const Map native = bridge.predict(i), working = exact(cohort, i);
    for (std::int64_t v = 0; v < shape_.voxels(); ++v) differ += native[v] != working[v];
  }
  EXPECT_LE(differ, 4);  // float millimetres against float voxels
  const auto scores = bridge_exact(subjects, table);
  const auto expected = bridge_exact(views(cohort), shape_, kLabels);
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(*scores[i].mean, *expected[i].mean, 1e-3);

  BridgeVotes in_mm(grid_of(shape_), kLabels);
  for (std::size_t j = 0; j < cohort.size(); ++j)
    in_mm.add({cohort[j].labels.data(), &labels[j].grid}, to_atlas[j]);
  const auto summed_scores = summed_dice(cohort);
  for (std::size_t j = 0; j < cohort.size(); ++j) {
    const NativeMap own{cohort[j].labels.data(), &labels[j].grid};
    EXPECT_NEAR(*in_mm.dice(own, to_atlas[j], to_native[j]).mean, *summed_scores[j].mean, 1e-3);
  }
  EXPECT_THROW(bridge_exact(subjects, {0, 5, 17}), Error);
  EXPECT_THROW(bridge_exact(std::span(subjects).first(1), table), Error);
}

}  // namespace
}  // namespace aladdin::evaluate
