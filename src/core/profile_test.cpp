#include "aladdin/core/profile.h"

#include <gtest/gtest.h>

namespace aladdin::profile {
namespace {

TEST(Profile, CountsPartsOfTheWholeOnce) {
  {
    const Span whole(kWhole);
    const Span part("part");
  }
  EXPECT_TRUE(parts().empty()) << "off until it is started";
  start();
  { const Span outside("part"); }
  EXPECT_TRUE(parts().empty()) << "outside the whole";
  for (int i = 0; i < 3; ++i) {
    const Span whole(kWhole);
    const Span part("part", 10);
    const Span nested("nested");
  }
  const auto found = parts();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "part");
  EXPECT_EQ(found[0].calls, 3);
  EXPECT_EQ(found[0].operations, 30);
  EXPECT_EQ(found[1].name, kWhole);
  EXPECT_GE(found[1].seconds, found[0].seconds);
}

}  // namespace
}  // namespace aladdin::profile
