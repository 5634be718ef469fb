#include "aladdin/core/error.h"

#include <gtest/gtest.h>

namespace aladdin {

TEST(Error, ContextsNestOutermostFirstAndTheHintComesLast) {
  Error error("expected 3 columns, got 2");
  error.within("row 7").within("while reading cohort.csv").hint("add the missing column");
  EXPECT_STREQ(
      error.what(),
      "while reading cohort.csv: row 7: expected 3 columns, got 2; add the missing column");
  EXPECT_EQ(error.exit_code(), ExitCode::failed);
}

TEST(Error, UsageErrorsCarryTheirExitCode) {
  try {
    fail_usage("spacing {} is not positive", -1);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    EXPECT_STREQ(error.what(), "spacing -1 is not positive");
  }
}

}  // namespace aladdin
