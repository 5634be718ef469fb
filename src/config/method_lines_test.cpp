#include "aladdin/config/method_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "aladdin/config/validate.h"
#include "aladdin/config/write.h"
#include "aladdin/core/error.h"

namespace aladdin {
namespace {

std::vector<std::string> ids_of(const std::vector<MethodLine>& lines) {
  std::vector<std::string> out;
  for (const auto& line : lines) out.push_back(line.id);
  return out;
}

// The 26 lines of rows A to K, and our own.
TEST(Methods, EveryLineIsValidAndNoneIsAnother) {
  std::set<std::string> hashes;
  for (const auto& line : method_lines()) {
    EXPECT_NO_THROW(validate(line.config())) << line.id;
    EXPECT_TRUE(hashes.insert(to_toml(line.config())).second) << line.id;
  }
  EXPECT_EQ(method_lines().size(), 27U);
}

TEST(Methods, RowsAndLinesInTheOrderOfTheTable) {
  EXPECT_THAT(ids_of(parse_methods("J3, E,A")), testing::ElementsAre("A", "E1", "E2", "J3"));
  EXPECT_EQ(parse_methods("all").size(), method_lines().size());
  try {
    parse_methods("A,Z");
    FAIL() << "there is no row Z";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("there is no method 'Z'"));
  }
}

// As in the paper: none, atlas pairs, image pairs, both.
TEST(Methods, TheFourCombinationsOfPairs) {
  for (const char row : {'H', 'I', 'J'}) {
    std::vector<std::pair<bool, bool>> found;
    for (const auto& line : parse_methods(std::string(1, row))) {
      const Config config = line.config();
      found.emplace_back(config.loss.gamma1 > 0, config.loss.gamma2 > 0);
    }
    EXPECT_THAT(found, testing::ElementsAre(std::pair(false, false), std::pair(true, false),
                                            std::pair(false, true), std::pair(true, true)));
  }
}

TEST(Methods, ContrastsNameLinesThatAreThere) {
  const auto ids = ids_of(method_lines());
  for (const auto& contrast : contrasts())
    for (const auto& [a, b] : contrast.pairs) {
      EXPECT_THAT(ids, testing::Contains(a));
      EXPECT_THAT(ids, testing::Contains(b));
      EXPECT_NE(a, b);
    }
}

}  // namespace
}  // namespace aladdin
