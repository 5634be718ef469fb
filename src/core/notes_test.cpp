#include "aladdin/core/notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/log.h"

namespace aladdin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Notes, EqualOnesAreOneLineWithACountAndAnExample) {
  EXPECT_THAT(
      merged({{"b", "turned"}, {"a", ""}, {"c", "cut"}, {"d", "turned"}, {"e", "turned"}}, "image"),
      ElementsAre("b and 2 others: turned", "c: cut"));
  EXPECT_THAT(merged({{"a", ""}}, "image"), IsEmpty());
  EXPECT_THAT(merged({{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "3"}}, "image", 2),
              ElementsAre("a: 1", "b: 2", "and 2 images more like it"));
}

// As many kinds as files: each has its own number in its note.
TEST(Notes, OfManyKindsToo) {
  std::vector<Note> notes;
  for (int n = 0; n < 3000; ++n) notes.push_back({std::to_string(n), std::to_string(n)});
  EXPECT_EQ(merged(notes, "image").back(), "and 2995 images more like it");
}

TEST(Log, ARepeatedWarningIsToldOnceAndCounted) {
  ::testing::internal::CaptureStderr();
  log::warn_again("kind", "3 points are outside");
  log::warn_again("kind", "5 points are outside");
  log::warn_again("other", "a fold");
  log::warn_again("kind", "9 points are outside");
  log::tell_repeated();
  log::tell_repeated();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "warning: 3 points are outside\n"
            "warning: a fold\n"
            "warning: 2 times more: 3 points are outside\n");
}

}  // namespace
}  // namespace aladdin
