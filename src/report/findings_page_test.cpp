#include "aladdin/report/findings_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/report/findings_data.h"

namespace aladdin::report {
namespace {

using stats::Findings;
using testing::HasSubstr;
using testing::Not;

Findings small(const std::string& statistic = "t") {
  Findings f;
  f.title = "Age";
  f.model = "J ~ age";
  f.test = "age";
  f.statistic = statistic;
  f.dof_test = 2;
  f.dof_error = 17;
  f.permutations = 4321;
  Grid grid;
  grid.size = {4, 3, 2};
  f.atlas = Image(grid, .5F);
  for (std::int64_t v = 1; v < 24; v += 2) f.voxels.push_back(v);
  const std::size_t n = f.voxels.size();
  f.ids = {"a", "b", "c"};
  f.tested = {1, 2, 3};
  f.tested_name = "age";
  f.data.assign(n * 3, .25F);
  f.maps.statistic.assign(n, 1.5F);
  if (statistic == "t") f.maps.effect.assign(n, .01F);
  f.maps.p.assign(n, .2F);
  f.maps.p_tfce.assign(n, .6F);
  f.maps.p_tfce[4] = .01F;
  return f;
}

stats::Cluster cluster(const std::string& structure) {
  stats::Cluster c;
  c.voxels = 57;
  c.volume = 57;
  c.peak_index = {1, 2, 0};
  c.peak_mm = {-3.5, 2, 0};
  c.structure = structure;
  c.statistic = -6.25;
  c.p_corrected = .0312;
  return c;
}

stats::StructureFinding structure(const std::string& name) {
  stats::StructureFinding s;
  s.name = name;
  s.mean = 2000;
  s.effect = -50;
  s.effect_low = -70;
  s.effect_high = -30;
  s.p_fwe = .004;
  return s;
}

TEST(FindingsPage, SaysWhatWasTestedAndFound) {
  Findings f = small();
  f.clusters = {cluster("putamen")};
  f.structures = {structure("caudate")};
  const std::string page = findings_page(f);
  for (const char* text :
       {"t(17)", "4321", "J ~ age", "1 cluster at p \u2264 .05, family-wise by TFCE", "\u22126.25",
        ".031", "\u22123.5, 2.0, 0.0", "putamen", "\u22122.50", "\u22123.50 to \u22121.50",
        "Content-Security-Policy", "id=\"volume-map-p_tfce\"", "id=\"volume-data\""})
    EXPECT_THAT(page, HasSubstr(text));
  EXPECT_THAT(page, Not(HasSubstr("@@")));
  EXPECT_THAT(page, Not(HasSubstr("id=\"volume-kept\""))) << "all data are in the page";
}

TEST(FindingsPage, HostileTextStaysText) {
  const std::string hostile = "<script>alert(1)</script>\"'";
  Findings f = small();
  f.title = f.model = f.test = f.measure = f.tested_name = hostile;
  f.ids[0] = hostile;
  f.groups = {hostile, "x", "y"};
  f.notes = {hostile};
  f.labels = Labels(f.atlas.grid, 1);
  f.label_names = {{1, hostile}};
  f.clusters = {cluster(hostile)};
  f.structures = {structure(hostile)};
  const std::string page = findings_page(f);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;"));
}

TEST(FindingsPage, NothingFoundIsSaid) {
  Findings f = small();
  f.ids.clear();
  f.tested.clear();
  f.data.clear();
  const std::string page = findings_page(f);
  EXPECT_THAT(page, HasSubstr("0 clusters at p \u2264 .05"));
  EXPECT_THAT(page, HasSubstr("No voxel passes p \u2264 .05, family-wise by TFCE."));
  EXPECT_THAT(page, Not(HasSubstr("id=\"volume-data\"")));
}

TEST(FindingsPage, AnFTestHasNoEffect) {
  Findings f = small("F");
  f.clusters = {cluster("putamen")};
  f.structures = {structure("caudate")};
  const std::string page = findings_page(f);
  EXPECT_THAT(page, HasSubstr("F(2, 17)"));
  EXPECT_THAT(page, Not(HasSubstr("Effect, %")));
  EXPECT_THAT(page, Not(HasSubstr("id=\"volume-map-effect\"")));
}

TEST(FindingsPage, PartsThatDoNotFitAreRefused) {
  Findings f = small();
  f.maps.p.pop_back();
  EXPECT_THROW(findings_page(f), Error);
  f = small();
  std::swap(f.voxels[0], f.voxels[1]);
  EXPECT_THROW(findings_page(f), Error);
  f = small();
  f.data.pop_back();
  EXPECT_THROW(findings_page(f), Error);
}

TEST(FindingsPage, SamePageForTheSameFindings) {
  EXPECT_EQ(findings_page(small()), findings_page(small()));
}

TEST(FindingsPage, PAsReadersWriteIt) {
  EXPECT_EQ(format_p(.05), ".05");
  EXPECT_EQ(format_p(.0312), ".031");
  EXPECT_EQ(format_p(.5), ".50");
  EXPECT_EQ(format_p(.0002), "< .001");
  EXPECT_EQ(format_p(1), "1");
}

TEST(FindingsData, TooManyDataKeepALatticeThePeaksAndTheClusters) {
  Findings f = small();
  Grid grid;
  grid.size = {12, 12, 12};
  f.atlas = Image(grid);
  f.voxels.clear();
  for (std::int64_t v = 0; v < grid.voxels(); ++v) f.voxels.push_back(v);
  f.maps = {};
  f.maps.p_tfce.assign(f.voxels.size(), 1.0F);
  for (const std::size_t v : {777U, 778U, 779U}) f.maps.p_tfce[v] = .01F;
  f.clusters = {cluster("")};
  const std::size_t each = 3 + 8;
  const std::size_t budget = 300 * each;
  const auto kept = kept_voxels(f, budget);
  const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
  EXPECT_LE(count * each, budget);
  EXPECT_GE(count, 200U) << "as fine a lattice as fits";
  for (const std::size_t v : {777U, 778U, 779U}) EXPECT_TRUE(kept[v]);
  EXPECT_TRUE(kept[static_cast<std::size_t>(grid.offset(1, 2, 0))]) << "the peak";
  const auto all = kept_voxels(f, f.voxels.size() * each);
  EXPECT_EQ(std::count(all.begin(), all.end(), false), 0);
}

}  // namespace
}  // namespace aladdin::report
