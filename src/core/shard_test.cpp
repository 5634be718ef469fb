#include "aladdin/core/shard.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

TEST(Shard, EveryElementIsInExactlyOneShare) {
  for (std::size_t element = 0; element < 23; ++element) {
    int holders = 0;
    for (int i = 1; i <= 5; ++i) holders += parse_shard(std::to_string(i) + "/5").has(element);
    EXPECT_EQ(holders, 1) << element;
  }
}

TEST(Shard, TheOnlyShareIsTheWhole) {
  EXPECT_TRUE(parse_shard("1/1").is_whole());
  EXPECT_FALSE(parse_shard("1/2").is_whole());
  EXPECT_EQ(parse_shard("3/7").text(), "3/7");
}

TEST(Shard, RefusesWhatIsNoShare) {
  for (const char* text :
       {"", "1", "0/2", "3/2", "-1/2", "1/0", "1/2/3", "a/b", "1/99999999999999", "1/ 2x", "1.5/2"})
    EXPECT_THROW(parse_shard(text), Error) << text;
}

}  // namespace
}  // namespace aladdin
