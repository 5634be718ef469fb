#include "aladdin/core/option_name.h"

#include <gtest/gtest.h>

namespace aladdin {

TEST(OptionName, IsTheFieldForALibraryAndTheFlagForTheProgram) {
  EXPECT_EQ(option_name("keep_positions"), "keep_positions");
  EXPECT_EXIT(
      {
        name_options_as_flags();
        std::exit(option_name("keep_positions") == "--keep-positions" ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace aladdin
