#include "aladdin/stats/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/stats/test_designs.h"

namespace aladdin::stats {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// 12 x 12 voxels of smooth noise; a corner of 4 x 4 falls with age by .02 a year.
struct Study {
  Table table = testing::random_table(40, 21);
  Design design = testing::design_of("age + sex", table);
  AnalysisOptions options;
  StructureData structures;
  Findings findings;

  explicit Study(double effect = -.02) {
    options.permutations = 199;
    options.seed = 4;
    Grid grid;
    grid.dims = 2;
    grid.size = {12, 12, 1};
    findings.atlas = Image(grid);
    findings.ids = design.ids;
    Rng rng(9);
    for (std::int64_t v = 0; v < 144; ++v) {
      findings.voxels.push_back(v);
      const bool planted = v % 12 < 4 && v / 12 < 4;
      for (int s = 0; s < 40; ++s)
        findings.data.push_back(
            static_cast<float>((planted ? effect * design.matrix(s, 1) : 0) + .2 * rng.normal()));
    }
    structures = {{1, 2}, {"shrinking", "constant"}, {2, 40, {}}};
    for (const double slope : {-2.0, 0.0})
      for (int s = 0; s < 40; ++s)
        structures.volumes.values.push_back(
            static_cast<float>(1000 + slope * design.matrix(s, 1) + 10 * rng.normal()));
  }
  const Findings& run() {
    analyse(design, make_contrast(design, "age"), {}, structures, options, findings);
    return findings;
  }
};

TEST(Analysis, FindsWhatIsThereAndNothingElse) {
  Study study;
  const Findings& found = study.run();
  ASSERT_EQ(found.clusters.size(), 1U);
  EXPECT_NEAR(static_cast<double>(found.clusters[0].voxels), 16, 1);
  EXPECT_LT(found.clusters[0].statistic, 0);
  EXPECT_NEAR(found.clusters[0].effect, -.02, .005);
  EXPECT_EQ(found.clusters[0].p_corrected, .005F);
  EXPECT_EQ(found.statistic, "t");
  EXPECT_EQ(found.dof_error, 37);
  ASSERT_EQ(found.structures.size(), 2U);
  EXPECT_EQ(found.structures[0].p_fwe, .005F);
  EXPECT_NEAR(found.structures[0].effect, -2, .3);
  EXPECT_NEAR(found.structures[0].mean, 1000, 5);
  EXPECT_GT(found.structures[1].p_fwe, .05);
  EXPECT_THAT(found.notes, Contains("Null distribution: permutations of subjects."));
  EXPECT_EQ(found.data.size(), 144U * 40) << "the data come back";
}

TEST(Analysis, CorrectionNeverMakesPSmaller) {
  Study study;
  const auto& maps = study.run().maps;
  for (std::size_t v = 0; v < 144; ++v) {
    EXPECT_GE(maps.p_fdr[v], maps.p[v]);
    EXPECT_GE(maps.p_fwe[v], maps.p_permuted[v]);
    EXPECT_GE(maps.p_permuted[v], .005F);
    EXPECT_EQ(std::signbit(maps.tfce[v]), std::signbit(maps.statistic[v]) && maps.tfce[v] != 0);
  }
}

TEST(Analysis, WithoutPermutationsThereAreOnlyTheDistributions) {
  Study study;
  study.options.permutations = 0;
  const Findings& found = study.run();
  EXPECT_TRUE(found.maps.p_fwe.empty() && found.maps.p_tfce.empty());
  EXPECT_EQ(found.maps.p_fdr.size(), 144U);
  EXPECT_EQ(found.clusters.size(), 1U) << "by the false discovery rate";
  EXPECT_TRUE(std::isnan(found.structures[0].p_fwe));
}

TEST(Analysis, FewShufflesAreSaid) {
  Study study;
  study.table = testing::table_of({{"age", {"1", "2", "3", "5"}}});
  study.design = testing::design_of("age", study.table);
  study.findings.data.assign(144 * 4, 0);
  study.findings.ids = study.design.ids;
  for (std::size_t i = 0; i < study.findings.data.size(); ++i)
    study.findings.data[i] = static_cast<float>(i * i % 17);
  study.structures = {};
  EXPECT_THAT(study.run().notes, Contains(HasSubstr("Only about 24 different shuffles exist")));
}

}  // namespace
}  // namespace aladdin::stats
