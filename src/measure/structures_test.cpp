#include "aladdin/measure/structures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"
#include "aladdin/measure/measures_table.h"

namespace aladdin::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Grid cube(std::int64_t size, double spacing) {
  Grid grid;
  grid.size = {size, size, size};
  grid.spacing = {spacing, spacing, spacing};
  const double corner = -spacing * double(size - 1) / 2;
  grid.origin = {corner, corner, corner};
  return grid;
}

// An outer shell of radius 9 … 13 mm (label 2) about a ball (label 5), seen through `to_atlas`.
Labels balls(const Grid& grid, const Affine& to_atlas) {
  Labels labels(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const double r = norm(to_atlas(grid.to_point({double(i), double(j), double(k)})));
        labels.at(i, j, k) = r < 9 ? 5 : r < 13 ? 2 : 0;
      }
  return labels;
}

// An atlas, and one subject that is the atlas stretched by a known affine map on another grid.
class Structures : public ::testing::Test {
 protected:
  Structures() {
    stretch_.matrix = {{{1.2, .1, 0}, {0, 1.1, .05}, {0, 0, .9}}};
    stretch_.offset = {1, -1, .5};
    write_labels(folder_ / "atlas.nii", balls(cube(56, .6), Affine{}));
    write_labels(folder_ / "native.nii", balls(cube(90, .47), inverse(stretch_)));
    source_.segmentation = folder_ / "atlas.nii";
    source_.label_names = {{5, "core"}};
    source_.covariates = {"age", "volume"};
    evaluate::SourceSubject subject;
    subject.id = "one, two";
    subject.split = "train";
    subject.label = folder_ / "native.nii";
    subject.native_to_atlas = [this] { return Chain{stretch_}; };
    subject.covariates = {{"age", "31"}};
    source_.subjects.push_back(subject);
  }
  SubjectMeasures measure(MeasureOptions options = {}) const {
    return Measurer(source_, options).measure(source_.subjects.front()).measures;
  }

  testing::TemporaryFolder folder_;
  Affine stretch_;
  evaluate::Source source_;
};

TEST_F(Structures, TheTransformGivesTheVolumeThatIsCounted) {
  const auto found = measure();
  ASSERT_EQ(found.structures.size(), 3U);
  const double log_det = std::log(determinant(stretch_.matrix));
  for (const auto& s : found.structures) {
    EXPECT_NEAR(s.jacobian_volume / s.volume, 1, .015) << s.name << ": whole voxels are counted";
    EXPECT_NEAR(s.log_jacobian, log_det, 1e-4);
    EXPECT_NEAR(s.relative_log_jacobian, 0, 1e-4) << "an affine map leaves nothing";
  }
  EXPECT_EQ(found.structures[0].label, 2);
  EXPECT_EQ(found.structures[0].name, "label 2");
  EXPECT_EQ(found.structures[1].name, "core");
  EXPECT_EQ(found.structures[2].name, "total");
  EXPECT_NEAR(found.structures[1].volume, 4 / 3.0 * 3.14159 * 729 * std::exp(log_det), 30);
  EXPECT_DOUBLE_EQ(found.structures[2].volume,
                   found.structures[0].volume + found.structures[1].volume);
  EXPECT_EQ(found.folds, 0);
}

TEST_F(Structures, TheOtherTransformIsInverted) {
  const auto one = measure();
  auto& subject = source_.subjects.front();
  subject.native_to_atlas = nullptr;
  subject.atlas_to_native = [this] { return Chain{inverse(stretch_)}; };
  EXPECT_NEAR(measure().structures[1].jacobian_volume, one.structures[1].jacobian_volume, .1);
}

TEST_F(Structures, TheTotalIsOfTheLabelsAskedFor) {
  const auto found = measure({.smooth_mm = 0, .total = {5}});
  EXPECT_EQ(found.structures[2].volume, found.structures[1].volume);
  EXPECT_EQ(found.structures[2].jacobian_volume, found.structures[1].jacobian_volume);
  EXPECT_THAT(testing::error_of([&] { measure({.smooth_mm = 0, .total = {3}}); }),
              HasSubstr("the atlas has no label 3"));
}

TEST_F(Structures, WithoutALabelMapOnlyTheTransformSpeaks) {
  source_.subjects.front().label = "";
  const auto found = measure();
  EXPECT_TRUE(std::isnan(found.structures[0].volume));
  EXPECT_GT(found.structures[0].jacobian_volume, 0);
}

TEST_F(Structures, SmoothingIsOfTheMapsAlone) {
  const Measurer plain(source_, {}), smoothed(source_, {.smooth_mm = 6, .total = {}});
  const auto& subject = source_.subjects.front();
  const auto one = plain.measure(subject), other = smoothed.measure(subject);
  EXPECT_EQ(one.measures.structures[1].log_jacobian, other.measures.structures[1].log_jacobian);
  for (std::size_t v = 0; v < plain.mask().size(); ++v) {
    const float expected = plain.mask()[v] ? std::log(determinant(stretch_.matrix)) : 0;
    EXPECT_NEAR(other.absolute.values[v], expected, 1e-4) << "0 outside the mask";
    EXPECT_NEAR(other.relative.values[v], 0, 1e-4);
  }
}

TEST_F(Structures, AnErrorNamesTheSubject) {
  source_.subjects.front().native_to_atlas = []() -> Chain { fail("it is gone"); };
  EXPECT_THAT(testing::error_of([&] { measure(); }), StartsWith("subject 'one, two': it is gone"));
  Grid other = cube(31, 1);
  write_image(folder_ / "image.nii", Image(other));
  source_.atlas = folder_ / "image.nii";
  EXPECT_THAT(testing::error_of([&] { measure(); }),
              HasSubstr("are not on its grid: 56 x 56 x 56"));
}

TEST_F(Structures, TheTableHasALinePerSubjectAndStructure) {
  const std::vector<SubjectMeasures> all{measure()};
  const std::string csv = to_csv(source_, all);
  EXPECT_THAT(csv,
              StartsWith("id,split,age,cohort_volume,label,structure,volume,jacobian_volume,"
                         "log_jacobian,relative_log_jacobian\n\"one, two\",train,31,,2,label 2,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_THAT(csv, HasSubstr("\"one, two\",train,31,,0,total,"));
  EXPECT_THAT(to_text(all, 3), HasSubstr("volume mm^3"));
}

TEST_F(Structures, MeansAndSpreadsAreThoseOfTheSubjectsWithAValue) {
  std::vector<SubjectMeasures> all(3, measure());
  all[0].structures[0].volume = 10;
  all[1].structures[0].volume = 14;
  all[2].structures[0].volume = NAN;
  const auto json = structures_json(all)[0];
  EXPECT_EQ(json["volume"]["mean"], 12);
  EXPECT_NEAR(json["volume"]["sd"].get<double>(), std::sqrt(8.0), 1e-12);
  EXPECT_EQ(json["volume"]["subjects"], 2);
  for (auto& subject : all) subject.structures[0].volume = NAN;
  EXPECT_TRUE(structures_json(all)[0]["volume"].is_null());
}

}  // namespace
}  // namespace aladdin::measure
