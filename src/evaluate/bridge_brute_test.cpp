// Votes against their definition, written as sums over all voxels: background on the left, scattered
// labels on the right up to the border, displacements that leave the grid. Displacements are multiples
// of 1/4, so that all weights are exact and ties are ties.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aladdin/core/rng.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/bridge_exact.h"
#include "aladdin/evaluate/voxel_walk.h"

namespace aladdin::evaluate {
namespace {

constexpr int kLabels = 4, kSubjects = 4;
using Map = std::vector<LabelIndex>;
using Field = std::vector<float>;

class Brute : public ::testing::TestWithParam<kernels::Shape> {
 protected:
  const kernels::Shape s_ = GetParam();
  std::vector<Map> labels_;
  std::vector<Field> to_subject_, to_atlas_;

  void SetUp() override {
    Rng rng(11);
    for (int i = 0; i < kSubjects; ++i) {
      Map map(s_.voxels());
      for (std::int64_t v = 0; v < s_.voxels(); ++v)
        map[v] = 2 * (v % s_.w) < s_.w ? LabelIndex{0} : LabelIndex(1 + rng.below(kLabels - 1));
      labels_.push_back(map);
      for (auto* fields : {&to_subject_, &to_atlas_}) {
        Field u(s_.dims * s_.voxels());
        for (float& x : u) x = float(rng.below(17) - 8) / 4.0F;
        fields->push_back(u);
      }
    }
  }

  Vec3 index_of(std::int64_t v) const {
    return {double(v % s_.w), double(v / s_.w % s_.h), double(v / (s_.w * s_.h))};
  }
  Vec3 inside(Vec3 p) const {
    for (int c = 0; c < 3; ++c) p[c] = std::clamp(p[c], 0.0, double(size_of(s_)[c] - 1));
    return p;
  }
  double weight(const Vec3& p, std::int64_t v) const {
    double w = 1;
    for (int c = 0; c < 3; ++c) w *= std::max(0.0, 1 - std::abs(p[c] - index_of(v)[c]));
    return w;
  }
  // The share of label k in the map at p.
  double share(const Map& map, const Vec3& p, int k) const {
    for (int c = 0; c < 3; ++c)
      if (p[c] < -0.5 || p[c] >= double(size_of(s_)[c]) - 0.5) return k == 0;
    double sum = 0;
    for (std::int64_t v = 0; v < s_.voxels(); ++v)
      if (map[v] == k) sum += weight(inside(p), v);
    return sum;
  }
  template <class Votes>
  static LabelIndex first_largest(const Votes& votes) {
    return LabelIndex(std::max_element(votes.begin(), votes.end()) - votes.begin());
  }
};
INSTANTIATE_TEST_SUITE_P(Dims, Brute,
                         ::testing::Values(kernels::Shape{1, 4, 5, 6, 3},
                                           kernels::Shape{1, 1, 9, 8, 2}),
                         [](const auto& s) { return s.param.dims == 2 ? "Picture" : "Volume"; });

TEST_P(Brute, SummedVotes) {
  BridgeVotes votes(s_, kLabels);
  for (int j = 0; j < kSubjects; ++j) votes.add(labels_[j].data(), to_subject_[j].data());
  std::vector<std::array<double, kLabels>> on_atlas(s_.voxels());
  for (std::int64_t a = 0; a < s_.voxels(); ++a)
    for (int k = 0; k < kLabels; ++k) {
      on_atlas[a][k] = 0;
      for (int j = 1; j < kSubjects; ++j)
        on_atlas[a][k] += share(labels_[j], moved(index_of(a), to_subject_[j].data(), a, s_), k);
    }
  Map out(s_.voxels());
  votes.predict_left_out(labels_[0].data(), to_subject_[0].data(), to_atlas_[0].data(), out.data());
  for (std::int64_t v = 0; v < s_.voxels(); ++v) {
    const Vec3 p = inside(moved(index_of(v), to_atlas_[0].data(), v, s_));
    std::array<double, kLabels> sum{};
    for (std::int64_t a = 0; a < s_.voxels(); ++a)
      for (int k = 0; k < kLabels; ++k) sum[k] += weight(p, a) * on_atlas[a][k];
    ASSERT_EQ(out[v], first_largest(sum)) << "voxel " << v;
  }
  EXPECT_GT(std::count_if(out.begin(), out.end(), [](auto k) { return k != 0; }), 0);
}

// Composed displacements are not multiples of 1/4; here Φ_{1,0} is a whole number of voxels.
TEST_P(Brute, ExactVotes) {
  std::vector<BridgeSubject> subjects;
  for (auto& u : to_atlas_)
    for (float& x : u) x = std::round(x);
  for (int j = 0; j < kSubjects; ++j)
    subjects.push_back({labels_[j].data(), to_subject_[j].data(), to_atlas_[j].data()});
  Map out(s_.voxels());
  predict_exact(subjects, 0, s_, kLabels, out.data());
  for (std::int64_t v = 0; v < s_.voxels(); ++v) {
    const Vec3 p = moved(index_of(v), to_atlas_[0].data(), v, s_), q = inside(p);
    const auto a = std::int64_t(q[0] + double(s_.w) * (q[1] + double(s_.h) * q[2]));
    std::array<double, kLabels> sum{};
    for (int k = 0; k < kLabels; ++k)
      for (int j = 1; j < kSubjects; ++j)
        sum[k] += share(labels_[j], moved(p, to_subject_[j].data(), a, s_), k);
    ASSERT_EQ(out[v], first_largest(sum)) << "voxel " << v;
  }
  EXPECT_GT(std::count_if(out.begin(), out.end(), [](auto k) { return k != 0; }), 0);
}

}  // namespace
}  // namespace aladdin::evaluate
