#include "aladdin/core/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace aladdin {
namespace {

TEST(Memory, WhatIsHeldShows) {
  EXPECT_GT(available_memory(), 1U << 20);
  const std::uint64_t before = resident_memory();
  std::vector<char> held(64 << 20, 1);
  EXPECT_GE(resident_memory(), before + held.size() / 2);
  EXPECT_GE(peak_memory(), before + held.size() / 2);
}

}  // namespace
}  // namespace aladdin
