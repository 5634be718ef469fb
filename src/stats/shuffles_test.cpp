#include "aladdin/stats/shuffles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "aladdin/image/test_files.h"
#include "aladdin/stats/test_designs.h"

namespace aladdin::stats {
namespace {

using ::testing::HasSubstr;
using Blocks = std::vector<std::string>;

// Six people, two visits each; 'late' differs within people, 'group' between them.
Table visits() {
  return testing::table_of({{"late", {"0", "1", "0", "1", "0", "1", "0", "1", "0", "1", "0", "1"}},
                            {"group", {"a", "a", "b", "b", "a", "a", "b", "b", "a", "a", "b", "b"}},
                            {"who", {"1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6", "6"}}});
}

Shuffles shuffles_of(const std::string& formula, const std::string& test, const Blocks& blocks,
                     std::uint64_t seed = 0) {
  return {testing::partition_of(formula, test, visits()), blocks, seed};
}

Blocks people() { return visits().column("who"); }

bool is_permutation(const Shuffles::Shuffle& drawn) {
  auto from = drawn.from;
  std::sort(from.begin(), from.end());
  for (std::size_t s = 0; s < from.size(); ++s)
    if (from[s] != static_cast<std::int32_t>(s)) return false;
  return std::ranges::count(drawn.sign, 1.0F) == std::ssize(drawn.sign);
}

TEST(Shuffles, WithoutBlocksAnyoneChangesPlaces) {
  const Shuffles shuffles = shuffles_of("late + group", "group", {});
  EXPECT_EQ(shuffles.description(), "permutations of subjects");
  EXPECT_NEAR(shuffles.log10_count(), std::log10(479001600.0), 1e-9) << "12!";
  std::set<std::int32_t> places;
  for (int k = 0; k < 200; ++k) {
    EXPECT_TRUE(is_permutation(shuffles.draw(k)));
    places.insert(shuffles.draw(k).from[3]);
  }
  EXPECT_EQ(places.size(), 12U);
}

TEST(Shuffles, WhatVariesWithinBlocksIsShuffledWithinThem) {
  const Shuffles shuffles = shuffles_of("late + C(who)", "late", people());
  EXPECT_EQ(shuffles.description(), "permutations within 6 blocks");
  EXPECT_NEAR(shuffles.log10_count(), 6 * std::log10(2.0), 1e-9);
  int swapped = 0;
  for (int k = 0; k < 100; ++k) {
    const auto drawn = shuffles.draw(k);
    EXPECT_TRUE(is_permutation(drawn));
    for (std::int32_t s = 0; s < 12; ++s) EXPECT_EQ(drawn.from[s] / 2, s / 2);
    swapped += drawn.from[0] == 1;
  }
  EXPECT_GT(swapped, 30);
  EXPECT_LT(swapped, 70);
}

TEST(Shuffles, WhatIsTheSameInABlockMovesWithIt) {
  const Shuffles shuffles = shuffles_of("late + group", "group", people());
  EXPECT_EQ(shuffles.description(), "permutations of whole blocks among 6 blocks");
  EXPECT_NEAR(shuffles.log10_count(), std::log10(720.0), 1e-9);
  for (int k = 0; k < 100; ++k) {
    const auto drawn = shuffles.draw(k);
    EXPECT_TRUE(is_permutation(drawn));
    for (std::size_t s = 0; s < 12; s += 2) {
      EXPECT_EQ(drawn.from[s] % 2, 0);
      EXPECT_EQ(drawn.from[s + 1], drawn.from[s] + 1);
    }
  }
}

TEST(Shuffles, TheMeanIsTestedByFlippingSigns) {
  for (const char* formula : {"1", "late", "group"}) {
    const Shuffles shuffles = shuffles_of(formula, "1", {});
    EXPECT_TRUE(shuffles.flips()) << formula;
    EXPECT_EQ(shuffles.description(), "sign flips of subjects");
    EXPECT_NEAR(shuffles.log10_count(), 12 * std::log10(2.0), 1e-9);
    const auto drawn = shuffles.draw(3);
    for (std::int32_t s = 0; s < 12; ++s) {
      EXPECT_EQ(drawn.from[s], s);
      EXPECT_EQ(std::abs(drawn.sign[s]), 1);
    }
  }
  const Shuffles whole = shuffles_of("late", "1", people());
  EXPECT_EQ(whole.description(), "sign flips of 6 blocks");
  for (int k = 0; k < 50; ++k)
    for (std::size_t s = 0; s < 12; s += 2)
      EXPECT_EQ(whole.draw(k).sign[s], whole.draw(k).sign[s + 1]);
}

TEST(Shuffles, AreThoseOfTheirSeed) {
  const Shuffles one = shuffles_of("late", "late", {}, 1),
                 same = shuffles_of("late", "late", {}, 1);
  EXPECT_EQ(one.draw(5).from, same.draw(5).from);
  EXPECT_NE(one.draw(5).from, one.draw(6).from);
  EXPECT_NE(one.draw(5).from, shuffles_of("late", "late", {}, 2).draw(5).from);
}

TEST(Shuffles, NothingToExchangeIsRefused) {
  const Table table = testing::table_of({{"group", {"a", "b", "b", "a", "a", "a"}}});
  EXPECT_THAT(
      testing::error_of([&] {
        Shuffles(testing::partition_of("group", "group", table), {"1", "2", "2", "3", "3", "3"}, 0);
      }),
      HasSubstr("no two blocks have the same size"));
}

}  // namespace
}  // namespace aladdin::stats
