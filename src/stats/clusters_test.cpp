#include "aladdin/stats/clusters.h"

#include <gtest/gtest.h>

namespace aladdin::stats {
namespace {

// 5 x 4 voxels of 2 x 3 mm, all analysed.
Findings plane(const std::vector<float>& statistic) {
  Findings f;
  Grid grid;
  grid.dims = 2;
  grid.size = {5, 4, 1};
  grid.spacing = {2, 3, 1};
  grid.origin = {10, -5, 0};
  f.atlas = Image(grid);
  for (std::int64_t v = 0; v < 20; ++v) f.voxels.push_back(v);
  f.maps.statistic = statistic;
  return f;
}

std::vector<Cluster> clusters_of(const Findings& f, const std::vector<float>& p) {
  return find_clusters(f, Neighbours(f.atlas.grid, f.voxels), p);
}

TEST(Clusters, ShareAFaceAndASign) {
  Findings f = plane({3,  4,  0, 0, 5,  //
                      2,  0,  0, 5, 0,  //
                      -3, -6, 0, 0, 0,  //
                      0,  0,  0, 0, 0});
  std::vector<float> p(20, 1);
  for (std::size_t v = 0; v < 20; ++v)
    if (f.maps.statistic[v] != 0) p[v] = .04F;
  p[11] = .01F;
  f.labels = Labels(f.atlas.grid);
  f.labels.values[11] = 7;
  f.labels.values[1] = 8;
  f.label_names = {{7, "putamen"}};
  f.maps.effect.assign(20, .25F);
  const auto found = clusters_of(f, p);
  ASSERT_EQ(found.size(), 4U) << "the corner pair touches by an edge only";
  EXPECT_EQ(found[0].voxels, 2) << "the smallest p first";
  EXPECT_EQ(found[0].statistic, -6);
  EXPECT_EQ(found[0].effect, .25);
  EXPECT_EQ(found[0].structure, "putamen");
  EXPECT_EQ(found[0].peak_index, (std::array<std::int64_t, 3>{1, 2, 0}));
  EXPECT_EQ(found[0].peak_mm, (Vec3{12, 1, 0}));
  EXPECT_DOUBLE_EQ(found[0].volume, 12);
  EXPECT_NEAR(found[0].p_corrected, .01, 1e-9);
  EXPECT_EQ(found[1].voxels, 3) << "then the largest";
  EXPECT_EQ(found[1].statistic, 4);
  EXPECT_EQ(found[1].structure, "label 8");
}

TEST(Clusters, AlphaDecidesWhoIsIn) {
  Findings f = plane(std::vector<float>(20, 1));
  std::vector<float> p(20, .2F);
  EXPECT_TRUE(clusters_of(f, p).empty());
  f.alpha = .2001;
  ASSERT_EQ(clusters_of(f, p).size(), 1U);
  EXPECT_EQ(clusters_of(f, p)[0].voxels, 20);
}

}  // namespace
}  // namespace aladdin::stats
