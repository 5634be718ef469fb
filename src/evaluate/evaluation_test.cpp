// Three subjects of eight voxels in a row, small enough to work out on paper.
#include "aladdin/evaluate/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/evaluate/comparison.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::evaluate {
namespace {

using ::testing::HasSubstr;
using Map = std::vector<std::int32_t>;

class EvaluationTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Rows of three along y and z, all alike, so that the volume is 3-D.
  static Grid grid() {
    Grid g;
    g.size = {8, 3, 3};
    return g;
  }
  SourceSubject subject(const std::string& id, const Map& row) const {
    Labels labels(grid());
    for (std::size_t v = 0; v < labels.values.size(); ++v) labels.values[v] = row[v % 8];
    SourceSubject s;
    s.id = id;
    s.label = folder_ / (id + ".nii.gz");
    write_labels(s.label, labels);
    s.native_to_atlas = s.atlas_to_native = [] { return Chain{}; };
    return s;
  }
  // native = atlas + mm along the first axis.
  static void shift(SourceSubject& s, double mm, bool both) {
    s.native_to_atlas = [mm] { return Chain{translation({mm, 0, 0})}; };
    s.atlas_to_native = {};
    if (both) s.atlas_to_native = [mm] { return Chain{translation({-mm, 0, 0})}; };
  }
  Source source() const {
    Source s;
    s.name = "three";
    s.subjects = {subject("a", {0, 1, 1, 1, 1, 0, 2, 2}), subject("b", {0, 0, 1, 1, 1, 1, 2, 2}),
                  subject("c", {0, 0, 0, 1, 1, 0, 0, 0})};
    return s;
  }

  const Path folder_ =
      Path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

// Voxel by voxel, the three rows and what the two others vote for each (of equals the smaller):
//   a  0 1 1 1 1 0 2 2     b and c:  0 0 0 1 1 0 0 0
//   b  0 0 1 1 1 1 2 2     a and c:  0 0 0 1 1 0 0 0
//   c  0 0 0 1 1 0 0 0     a and b:  0 0 1 1 1 0 2 2       all: 0 0 1 1 1 0 2 2
TEST_F(EvaluationTest, OfIdentitiesIsTheVoteOfTheRawLabels) {
  for (const bool exact : {false, true}) {
    EvaluationOptions options;
    options.exact = exact;
    const Evaluation e = evaluate(source(), options);
    EXPECT_THAT(e.table, ::testing::ElementsAre(0, 1, 2));
    EXPECT_DOUBLE_EQ(*e.subjects[0].bridge.of[1], 2 * 2 / 6.0);
    EXPECT_DOUBLE_EQ(*e.subjects[0].bridge.of[2], 0);  // missed
    EXPECT_DOUBLE_EQ(*e.subjects[0].bridge.mean, 1 / 3.0);
    EXPECT_DOUBLE_EQ(*e.subjects[2].bridge.of[1], 2 * 2 / 5.0);
    EXPECT_DOUBLE_EQ(*e.subjects[2].bridge.of[2], 0);   // c lacks it, but the others vote for it
    EXPECT_DOUBLE_EQ(*e.subjects[2].bridge.mean, 0.8);  // so it is not in the mean
    EXPECT_DOUBLE_EQ(e.bridge.mean.mean, (1 / 3.0 + 1 / 3.0 + 0.8) / 3);
    // d^atlas and, voted and without a transform, d^image.
    EXPECT_DOUBLE_EQ(*e.subjects[0].atlas.of[1], 2 * 3 / 7.0);
    EXPECT_DOUBLE_EQ(*e.subjects[0].atlas.of[2], 1);
    EXPECT_DOUBLE_EQ(*e.subjects[0].image.of[1], 2 * 3 / 7.0);
    // tilde d^atlas of label 1: ab 6/8, ac 4/6, bc 4/6.
    EXPECT_NEAR(e.pairs->of[1].mean, (6 / 8.0 + 4 / 6.0 + 4 / 6.0) / 3, 1e-12);
    EXPECT_EQ(e.subjects[0].to_atlas.negative, 0);
    EXPECT_EQ(e.subjects[0].inverse.max_mm, 0);
    EXPECT_EQ(e.centrality.max_mm, 0);
  }
}

// Predicted voxels 3 and 4, own 1 … 4: from 1 and 2 it is 2 and 1 mm, from 3 and 4 nothing.
TEST_F(EvaluationTest, SurfaceDistancesAreInMillimetres) {
  const Evaluation e = evaluate(source());
  ASSERT_TRUE(e.subjects[0].surface.at(1));
  EXPECT_NEAR(e.subjects[0].surface[1]->hd_mm, 2, 1e-12);
  EXPECT_FALSE(e.subjects[0].surface.at(2)) << "nobody predicts it";
}

TEST_F(EvaluationTest, OfAPerfectRegistrationIsOneWithEitherDirectionGiven) {
  const Map row{0, 0, 0, 1, 1, 0, 0, 0}, moved{0, 0, 0, 0, 1, 1, 0, 0};
  for (const bool both : {true, false}) {
    Source s;
    s.name = "two";
    s.subjects = {subject("a", row), subject("b", moved), subject("c", row)};
    shift(s.subjects[1], 1, both);
    const Evaluation e = evaluate(s);
    EXPECT_EQ(e.bridge.mean.mean, 1);
    EXPECT_EQ(e.atlas.mean.mean, 1);
    EXPECT_EQ(e.image.mean.mean, 1);
    EXPECT_EQ(e.pairs->mean.mean, 1);
    EXPECT_NEAR(e.centrality.mean_mm, 1 / 3.0, 1e-6);
  }
}

// Changing a subject's labels changes its score, but not what is predicted for it.
TEST_F(EvaluationTest, OwnLabelsNeverVote) {
  Source s = source();
  const Evaluation before = evaluate(s);
  s.subjects[0] = subject("a", {0, 0, 0, 1, 1, 0, 0, 0});  // exactly what the others vote
  const Evaluation after = evaluate(s);
  EXPECT_LT(*before.subjects[0].bridge.mean, 0.5);
  EXPECT_EQ(*after.subjects[0].bridge.mean, 1);
}

// A constant field of 1 mm on the grid of both, in every format that ITK writes fields in.
TEST_F(EvaluationTest, FieldsOfAnyFormatGiveTheSameFigures) {
  Displacement there(grid()), back(grid());
  std::fill_n(there.vectors.component(0), grid().voxels(), 1.0F);
  std::fill_n(back.vectors.component(0), grid().voxels(), -1.0F);
  for (const char* extension : {".nii.gz", ".nrrd", ".mha"}) {
    const Path to_atlas = folder_ / fmt::format("there{}", extension);
    const Path to_native = folder_ / fmt::format("back{}", extension);
    write_displacement(to_atlas, there);
    write_displacement(to_native, back);
    Source s;
    s.name = "two";
    s.subjects = {subject("a", {0, 0, 0, 1, 1, 0, 0, 0}), subject("b", {0, 0, 0, 0, 1, 1, 0, 0})};
    s.subjects[1].native_to_atlas = [=] { return read_transform(to_atlas); };
    s.subjects[1].atlas_to_native = [=] { return read_transform(to_native); };
    const Evaluation e = evaluate(s);
    EXPECT_EQ(e.bridge.mean.mean, 1) << extension;
    EXPECT_EQ(e.subjects[1].to_atlas.negative, 0);
    EXPECT_NEAR(e.centrality.mean_mm, 0.5, 1e-6);
    EXPECT_NEAR(e.subjects[1].inverse.max_mm, 0, 1e-6);
  }
}

// u = -1.5 x: the determinant is -0.5 everywhere.
TEST_F(EvaluationTest, CountsTheFoldsOfAField) {
  Displacement turned(grid());
  for (std::int64_t v = 0; v < grid().voxels(); ++v)
    turned.vectors.component(0)[v] = -1.5F * static_cast<float>(v % 8);
  Source s = source();
  s.subjects[1].native_to_atlas = [=] { return Chain{turned}; };
  const Evaluation e = evaluate(s);
  EXPECT_EQ(e.subjects[1].to_atlas.negative, grid().voxels());
  EXPECT_EQ(e.subjects[0].to_atlas.negative, 0);
  EXPECT_GT(e.subjects[1].inverse.mean_mm, 1);
}

TEST_F(EvaluationTest, WithoutRoomForAllPairsIsTheSameWithoutThem) {
  EvaluationOptions options;
  options.most_pair_bytes = 1;
  const Evaluation e = evaluate(source(), options);
  EXPECT_FALSE(e.pairs);
  EXPECT_EQ(e.atlas.mean.mean, evaluate(source()).atlas.mean.mean);
}

TEST_F(EvaluationTest, RefusesOneSubjectAndMapsWithoutStructures) {
  Source one = source();
  one.subjects.resize(1);
  EXPECT_THROW(evaluate(one), Error);
  Source empty;
  empty.subjects = {subject("a", Map(8, 0)), subject("b", Map(8, 0))};
  EXPECT_THROW(evaluate(empty), Error);
}

TEST_F(EvaluationTest, ASubjectWithoutStructuresHasNoMeanAndNothingIsNaN) {
  Source s = source();
  s.subjects[2] = subject("c", Map(8, 0));
  const Evaluation e = evaluate(s);
  EXPECT_FALSE(e.subjects[2].bridge.mean);
  EXPECT_EQ(e.bridge.mean.count, 2);
  const std::vector<Group> groups{parse_group("all=1,2")};
  for (const std::string& text :
       {to_text(e, groups), to_csv(std::span(&e, 1), groups), to_json(e, groups).dump()})
    EXPECT_THAT(text, ::testing::Not(HasSubstr("nan")));
}

TEST_F(EvaluationTest, AGroupIsTheMeanOfItsStructures) {
  const Evaluation e = evaluate(source());
  const std::vector<Group> groups{parse_group("both = 1, 2")};
  const auto rows = rows_of(e, groups);
  EXPECT_EQ(rows.back().name, "both");
  EXPECT_EQ(value_of(e.subjects[0], Measure::bridge, rows.back().structures),
            e.subjects[0].bridge.mean);
  EXPECT_THROW(parse_group("both"), Error);
  EXPECT_THROW(parse_group("both=1,x"), Error);
  const std::vector<Group> unknown{parse_group("other=7")};
  EXPECT_THROW(require_labels(e, unknown), Error);
}

TEST_F(EvaluationTest, OfOneSourceTwiceDoNotDiffer) {
  const std::vector<Evaluation> all{evaluate(source()), evaluate(source())};
  const auto tests = compare(all, {});
  ASSERT_EQ(tests.size(), 3U);  // 1, 2, mean
  for (const auto& test : tests) {
    EXPECT_EQ(test.difference, 0);
    EXPECT_EQ(test.p_holm, 1);
  }
}

}  // namespace
}  // namespace aladdin::evaluate
