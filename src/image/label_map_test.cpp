#include "aladdin/image/label_map.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "aladdin/core/rng.h"
#include "aladdin/image/io.h"

namespace aladdin {
namespace {

Grid cube(std::int64_t n) {
  Grid grid;
  grid.size = {n, n, n};
  return grid;
}

Labels blocks(int side) {
  Labels labels(cube(24));
  for (std::int64_t v = 0; v < labels.grid.voxels(); ++v)
    labels.values[v] = static_cast<std::int32_t>(v % 24 / side * 7);
  return labels;
}

TEST(LabelMap, CountsEveryValue) {
  const auto counts = count_labels(blocks(6));
  ASSERT_EQ(counts.size(), 4U);
  for (const auto& [label, voxels] : counts) EXPECT_EQ(voxels, 24 * 24 * 6) << label;
  EXPECT_EQ(counts.rbegin()->first, 21);
}

TEST(LabelMap, BlocksAreLabelsAndNoisyBytesAreNot) {
  EXPECT_TRUE(looks_like_labels(blocks(6)));
  Labels scan(cube(24));
  Rng rng(3);
  for (auto& value : scan.values) value = static_cast<std::int32_t>(rng.below(256));
  EXPECT_FALSE(looks_like_labels(scan));
  // A large dark background does not make a scan a label map.
  for (std::size_t v = 0; v < scan.values.size() * 9 / 10; ++v) scan.values[v] = 0;
  EXPECT_FALSE(looks_like_labels(scan));
}

TEST(LabelMap, TooManyOrNegativeValuesAreIntensities) {
  Labels ramp(cube(24));
  for (std::int64_t v = 0; v < ramp.grid.voxels(); ++v)
    ramp.values[v] = static_cast<std::int32_t>(v / 4);  // runs of four, 3456 values
  EXPECT_FALSE(looks_like_labels(ramp));
  Labels negative = blocks(6);
  negative.values[100] = -1024;
  EXPECT_FALSE(looks_like_labels(negative));
}

TEST(LabelMap, TheRuleHoldsOnRealData) {
  const std::filesystem::path data = ALADDIN_SHARED_DATA;
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no real data at " << data;
  const auto first_integer = [&](const char* folder, bool expected) {
    int checked = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data / folder)) {
      if (!entry.is_regular_file() || !read_header(entry.path()).integer) continue;
      EXPECT_EQ(looks_like_labels(read_labels(entry.path())), expected) << entry.path();
      if (++checked == 3) break;
    }
    return checked;
  };
  EXPECT_GT(first_integer("brains/labels", true), 0);
  EXPECT_GT(first_integer("brains/tissues", true), 0);
  EXPECT_GT(first_integer("hippocampus/labels", true), 0);
  EXPECT_GT(first_integer("orientations", false) + first_integer("brains/images", false), 0);
}

}  // namespace
}  // namespace aladdin
