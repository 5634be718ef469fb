#include "aladdin/core/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace aladdin {
namespace {

TEST(StopRequests, TheFirstSignalAsksAndTheSecondEnds) {
  EXPECT_EQ(stop_requested(), 0);
  {
    const StopRequests stop(true);
    std::raise(SIGTERM);
    EXPECT_EQ(stop_requested(), SIGTERM);
    EXPECT_EXIT(std::raise(SIGINT), ::testing::KilledBySignal(SIGINT), "");
    EXPECT_EXIT(std::raise(SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
  }
  EXPECT_EQ(stop_requested(), 0);
}

TEST(StopRequests, TakeNothingWhenNotAsked) {
  const StopRequests stop(false);
  EXPECT_EXIT(std::raise(SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
}

TEST(StopRequests, LeaveIgnoredSignalsIgnored) {
  const auto was = std::signal(SIGHUP, SIG_IGN);
  {
    const StopRequests stop(true);
    std::raise(SIGHUP);
    EXPECT_EQ(stop_requested(), 0);
  }
  std::signal(SIGHUP, was);
}

}  // namespace
}  // namespace aladdin
