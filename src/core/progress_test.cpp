#include "aladdin/core/progress.h"

#include <gtest/gtest.h>

namespace aladdin {

TEST(Progress, DurationsReadLikeAClock) {
  EXPECT_EQ(format_duration(0.2), "0 s");
  EXPECT_EQ(format_duration(59.4), "59 s");
  EXPECT_EQ(format_duration(65), "1 min 05 s");
  EXPECT_EQ(format_duration(7830), "2 h 10 min");
}

TEST(Progress, TheBarShowsShareAndTimeLeft) {
  EXPECT_EQ(format_bar("warp", 5, 10, 4.0),
            "warp  [###############---------------]  5/10  4 s left");
  EXPECT_EQ(format_bar("warp", 0, 10, 4.0), "warp  [------------------------------]  0/10  ");
  // More than was expected fills the bar, and no more.
  EXPECT_EQ(format_bar("warp", 12, 10, 4.0).substr(0, 38),
            "warp  [##############################]");
}

}  // namespace aladdin
