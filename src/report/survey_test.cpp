#include "aladdin/report/survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace aladdin::report {
namespace {

// A subject that is chosen twice would be counted twice in every mean of the page.
TEST(Survey, PortraitsAreTheWorstTheMiddleAndTheBestEachOnce) {
  for (std::size_t subjects = 0; subjects < 30; ++subjects) {
    std::vector<std::size_t> ranking(subjects);
    std::iota(ranking.rbegin(), ranking.rend(), std::size_t{0});
    const auto chosen = choose_portraits(ranking);
    const std::set<std::size_t> once(chosen.begin(), chosen.end());
    EXPECT_EQ(once.size(), chosen.size()) << subjects;
    for (std::size_t i = 0; i < std::min(kWorst, subjects); ++i)
      EXPECT_EQ(chosen.at(i), ranking[i]) << subjects;
    if (subjects == 0) continue;
    EXPECT_TRUE(once.contains(ranking[subjects / 2])) << subjects;
    EXPECT_TRUE(once.contains(ranking.back())) << subjects;
  }
}

}  // namespace
}  // namespace aladdin::report
