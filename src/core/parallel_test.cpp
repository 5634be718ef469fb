#include "aladdin/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "aladdin/core/error.h"

namespace aladdin {

TEST(Parallel, EveryTaskRunsOnceForAnyThreadCount) {
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    std::vector<int> runs(1001, 0);
    parallel_for(1001, [&](std::int64_t task) { ++runs[task]; });
    EXPECT_EQ(std::accumulate(runs.begin(), runs.end(), 0), 1001);
    EXPECT_EQ(*std::max_element(runs.begin(), runs.end()), 1);
  }
  set_threads(0);
}

TEST(Parallel, RangesCoverEverythingOnce) {
  std::vector<int> seen(97, 0);
  parallel_ranges(97, 10, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i) ++seen[i];
  });
  EXPECT_EQ(seen, std::vector<int>(97, 1));
}

TEST(Parallel, AnExceptionReachesTheCaller) {
  set_threads(2);
  EXPECT_THROW(parallel_for(100,
                            [](std::int64_t task) {
                              if (task == 7) fail("task {}", task);
                            }),
               Error);
  set_threads(0);
}

TEST(Parallel, NestedLoopsRun) {
  std::atomic<int> runs{0};
  parallel_for(4, [&](std::int64_t) { parallel_for(5, [&](std::int64_t) { ++runs; }); });
  EXPECT_EQ(runs, 20);
}

TEST(Parallel, NegativeThreadCountIsRefused) { EXPECT_THROW(set_threads(-1), Error); }

}  // namespace aladdin
