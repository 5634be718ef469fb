#include "aladdin/synth/subject.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/synth/anatomy.h"

namespace aladdin::synth {
namespace {

SynthOptions small(bool slice = false) {
  SynthOptions options;
  options.size = {32, 64, 64};
  options.spacing_mm = {3.2, 2.1, 2.1};
  options.slice = slice;
  return options;
}

// Where a displacement field, read as ITK reads it, takes a point; false near and beyond its
// border.
bool moved(const Displacement& field, const Vec3& point, Vec3& to) {
  const Grid& grid = field.grid();
  const Vec3 index = grid.to_index(point);
  std::int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  double t[3] = {0, 0, 0};
  for (int axis = 0; axis < grid.dims; ++axis) {
    if (index[axis] < 0 || index[axis] > static_cast<double>(grid.size[axis] - 1)) return false;
    low[axis] = static_cast<std::int64_t>(index[axis]);
    high[axis] = std::min(low[axis] + 1, grid.size[axis] - 1);
    t[axis] = index[axis] - static_cast<double>(low[axis]);
  }
  to = point;
  for (int corner = 0; corner < 8; ++corner) {
    const bool a = corner & 1, b = corner & 2, c = corner & 4;
    const double weight = (a ? t[0] : 1 - t[0]) * (b ? t[1] : 1 - t[1]) * (c ? t[2] : 1 - t[2]);
    const auto at = grid.offset(a ? high[0] : low[0], b ? high[1] : low[1], c ? high[2] : low[2]);
    for (int axis = 0; axis < grid.dims; ++axis)
      to[axis] += weight * field.vectors.component(axis)[at];
  }
  return true;
}

template <class Use>
void each_voxel(const Grid& grid, Use&& use) {
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        use(i, j, k,
            grid.to_point(
                {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)}));
}

double dice(const Labels& a, const Labels& b, std::int32_t label) {
  double both = 0, sum = 0;
  for (std::size_t v = 0; v < a.values.size(); ++v) {
    both += a.values[v] == label && b.values[v] == label;
    sum += (a.values[v] == label) + (b.values[v] == label);
  }
  return sum > 0 ? 2 * both / sum : 0;
}

// The nearest label of `labels` at where `to_source` takes the points of `grid`.
template <class ToSource>
Labels pull(const Labels& labels, const Grid& grid, ToSource&& to_source) {
  Labels pulled(grid);
  each_voxel(grid, [&](auto i, auto j, auto k, const Vec3& point) {
    Vec3 from;
    if (!to_source(point, from)) return;
    const Vec3 index = labels.grid.to_index(from);
    std::int64_t at[3];
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = std::llround(index[axis]);
      if (at[axis] < 0 || at[axis] >= labels.grid.size[axis]) return;
    }
    pulled.at(i, j, k) = labels.at(at[0], at[1], at[2]);
  });
  return pulled;
}

double jacobian(const Displacement& field, const Vec3& point, double h) {
  Mat3 derivative = kIdentity3;
  const int dims = field.grid().dims;
  for (int axis = 0; axis < dims; ++axis) {
    Vec3 step{};
    step[axis] = h;
    Vec3 ahead, behind;
    if (!moved(field, point + step, ahead) || !moved(field, point - step, behind)) return 1;
    for (int row = 0; row < dims; ++row)
      derivative[row][axis] = (ahead[row] - behind[row]) / (2 * h);
  }
  return determinant(derivative);
}

class Dims : public ::testing::TestWithParam<bool> {};  // 2-D?

TEST_P(Dims, FieldsAreInverseToEachOther) {
  const SynthOptions options = small(GetParam());
  for (int index = 0; index < 2; ++index) {
    const Subject subject = make_subject(options, index);
    double worst = 0;
    int count = 0;
    each_voxel(subject.native.image.grid, [&](auto, auto, auto, const Vec3& point) {
      Vec3 atlas, back;
      if (!moved(subject.pull_atlas_to_native, point, atlas)) return;
      if (!moved(subject.pull_native_to_atlas, atlas, back)) return;
      worst = std::max(worst, norm(back - point));
      ++count;
    });
    EXPECT_GT(count, subject.native.image.grid.voxels() / 2);
    EXPECT_LT(worst, 0.15) << "mm; a voxel is 3.2 x 2.1 x 2.1 mm";
  }
}

TEST_P(Dims, MapsDoNotFold) {
  SynthOptions options = small(GetParam());
  options.shape = 1.5;
  for (int index = 0; index < 2; ++index) {
    const Subject subject = make_subject(options, index);
    for (const auto* field : {&subject.pull_native_to_atlas, &subject.pull_atlas_to_native}) {
      double least = 1e9;
      each_voxel(field->grid(), [&](auto, auto, auto, const Vec3& point) {
        least = std::min(least, jacobian(*field, point, 1.0));
      });
      EXPECT_GT(least, 0.1);
    }
  }
}

TEST_P(Dims, LabelsAreTheCanonicalOnesPulledThroughTheTrueMap) {
  SynthOptions options = small(GetParam());
  options.thickness = options.lesions = 0;  // no map can explain these
  const Subject subject = make_subject(options, 1);
  const Grid& grid = subject.native.labels.grid;
  const Embedding embedding = embedding_for(atlas_grid(options).extent_mm(), grid.dims);
  Labels pulled(grid);
  each_voxel(grid, [&](auto i, auto j, auto k, const Vec3& point) {
    Vec3 atlas = point;
    for (int axis = 0; axis < grid.dims; ++axis)
      atlas[axis] += subject.pull_atlas_to_native.vectors.component(axis)[grid.offset(i, j, k)];
    const Vec3 p = embedding.to_design(atlas);
    const Point design{static_cast<float>(p[0]), static_cast<float>(p[1]),
                       static_cast<float>(p[2])};
    pulled.at(i, j, k) = knee_at(design, Morphology{}, 1.0F).label;
  });
  // Half a micrometre of rounding moves hardly a voxel.
  for (int label = 1; label <= 4; ++label)
    EXPECT_GT(dice(pulled, subject.native.labels, label), 0.998) << label;
}

TEST_P(Dims, SameBitsForAnyThreads) {
  const SynthOptions options = small(GetParam());
  set_threads(1);
  const Subject one = make_subject(options, 4);
  set_threads(2);
  const Subject two = make_subject(options, 4);
  set_threads(0);
  EXPECT_EQ(one.native.image.values, two.native.image.values);
  EXPECT_EQ(one.native.labels.values, two.native.labels.values);
  EXPECT_EQ(one.pull_native_to_atlas.vectors.values, two.pull_native_to_atlas.vectors.values);
  EXPECT_EQ(one.pull_atlas_to_native.vectors.values, two.pull_atlas_to_native.vectors.values);
}

INSTANTIATE_TEST_SUITE_P(Subject, Dims, ::testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "Slice" : "Volume"; });

TEST(Subject, SeedsAndSubjectsDiffer) {
  SynthOptions options = small(true);
  const Subject one = make_subject(options, 0), two = make_subject(options, 1);
  options.seed = 2;
  const Subject other = make_subject(options, 0);
  EXPECT_NE(one.native.labels.values, two.native.labels.values);
  EXPECT_NE(one.native.labels.values, other.native.labels.values);
}

TEST(Subject, AffineIsTheWholeMapWithoutShape) {
  SynthOptions options = small();
  options.shape = 0;
  const Subject subject = make_subject(options, 2);
  Vec3 to;
  for (const Vec3& point : {Vec3{0, 0, 0}, Vec3{20, -30, 10}, Vec3{-11, 40, -50}}) {
    ASSERT_TRUE(moved(subject.pull_native_to_atlas, point, to));
    EXPECT_LT(norm(to - subject.affine(point)), 1e-3);
  }
}

TEST(Subject, EveryLabelIsThereAtTheDemoSize) {
  for (const bool slice : {false, true}) {
    SynthOptions options;
    options.slice = slice;
    for (int index = 0; index < (slice ? 20 : 5); ++index) {
      const Subject subject = make_subject(options, index);
      std::int64_t count[5] = {};
      for (const auto label : subject.native.labels.values) ++count[label];
      for (int label = 1; label <= 4; ++label)
        EXPECT_GT(count[label], slice ? 20 : 250) << "label " << label << " of " << subject.id;
    }
  }
}

// OAI, in cm3: femur 162, femoral cartilage 11.1, tibia 108, tibial cartilage 4.2.
TEST(Atlas, HasTheVolumesOfRealKnees) {
  SynthOptions options;
  options.size = {80, 140, 140};
  options.spacing_mm = {1.4, 1, 1};
  const Knee atlas = make_atlas(options);
  double cm3[5] = {};
  for (const auto label : atlas.labels.values) cm3[label] += 1.4e-3;
  const double expected[5] = {0, 162, 11.1, 108, 4.2};
  for (int label = 1; label <= 4; ++label) {
    EXPECT_GT(cm3[label], 0.7 * expected[label]) << label;
    EXPECT_LT(cm3[label], 1.4 * expected[label]) << label;
  }
}

TEST(Cohort, UnregisteredOverlapIsPoor) {
  const SynthOptions options = small();
  std::vector<Labels> centred;
  const Grid grid = atlas_grid(options);
  for (int index = 0; index < 5; ++index) {
    const Subject subject = make_subject(options, index);
    const Vec3 centre = subject.native.labels.grid.centre();
    centred.push_back(pull(subject.native.labels, grid, [&](const Vec3& point, Vec3& from) {
      from = point + centre;
      return true;
    }));
  }
  double cartilage = 0, bone = 0;
  int pairs = 0;
  for (std::size_t a = 0; a < centred.size(); ++a)
    for (std::size_t b = 0; b < a; ++b, ++pairs) {
      cartilage += 0.5 * (dice(centred[a], centred[b], 2) + dice(centred[a], centred[b], 4));
      bone += 0.5 * (dice(centred[a], centred[b], 1) + dice(centred[a], centred[b], 3));
    }
  EXPECT_LT(cartilage / pairs, 0.4);
  EXPECT_LT(bone / pairs, 0.9);
  EXPECT_GT(bone / pairs, 0.5);
}

TEST(Subject, SignalsFollowKneeMR) {
  SynthOptions options = small();
  options.size = {40, 88, 88};
  options.spacing_mm = {2.6, 1.5, 1.5};
  const Subject subject = make_subject(options, 0);
  std::vector<float> values = subject.native.image.values;
  std::sort(values.begin(), values.end());
  const double top = values[static_cast<std::size_t>(0.999 * (values.size() - 1))];
  double sum[5] = {}, count[5] = {};
  for (std::size_t v = 0; v < values.size(); ++v) {
    const auto label = subject.native.labels.values[v];
    sum[label] += subject.native.image.values[v] / top;
    ++count[label];
  }
  const double expected[5] = {0, 0.187, 0.631, 0.199, 0.55};
  for (int label = 1; label <= 4; ++label)
    EXPECT_NEAR(sum[label] / count[label], expected[label], 0.2 * expected[label] + 0.03) << label;
}

TEST(SynthOptions, NameTheWrongValue) {
  const auto message = [](auto&& change) -> std::string {
    SynthOptions options;
    change(options);
    try {
      options.validate();
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), ExitCode::usage);
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message([](auto& o) { o.subjects = 0; }).find("subjects 0"), std::string::npos);
  EXPECT_NE(message([](auto& o) {
              o.size = {4, 96, 96};
            }).find("4 voxels along axis 0"),
            std::string::npos);
  EXPECT_NE(message([](auto& o) { o.size = {96, 96}; }).find("2 numbers"), std::string::npos);
  EXPECT_NE(message([](auto& o) {
              o.spacing_mm = {1, 0, 1};
            }).find("0 mm along axis 1"),
            std::string::npos);
  EXPECT_NE(message([](auto& o) { o.size = {8, 8, 8}; }).find("too coarse"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.affine = -1; }).find("affine -1"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.shape = std::nan(""); }).find("shape nan"), std::string::npos);
  EXPECT_NE(message([](auto& o) { o.val = 15, o.test = 6; }).find("more than subjects"),
            std::string::npos);
  EXPECT_EQ(message([](auto&) {}), "no error");
}

}  // namespace
}  // namespace aladdin::synth
