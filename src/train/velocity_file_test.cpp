#include "aladdin/train/velocity_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

TEST(VelocityFile, GivesBackWhatWasPutLast) {
  const testing::TemporaryFolder folder;
  VelocityFile file(folder.path());
  const at::Tensor a = at::rand({1, 3, 4, 5, 6}), b = at::rand({1, 3, 4, 5, 6});
  file.put(7, a);
  file.put(2, a);
  file.put(7, b);
  EXPECT_TRUE(file.has(7) && file.has(2));
  EXPECT_FALSE(file.has(0));
  EXPECT_TRUE(at::equal(file.get(7), b));
  EXPECT_TRUE(at::equal(file.get(2), a));
  EXPECT_NE(testing::error_of([&] { file.put(3, at::rand({1, 3, 4, 5, 5})); }), "");
}

TEST(VelocityFile, LeavesNothingInItsFolder) {
  const testing::TemporaryFolder folder;
  VelocityFile file(folder.path());
  file.put(0, at::rand({8}));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(VelocityFile, NamesTheFolderWhereItCannotBe) {
  const testing::TemporaryFolder folder;
  EXPECT_THAT(testing::error_of([&] { VelocityFile file(folder / "nowhere"); }),
              ::testing::HasSubstr("nowhere"));
}

}  // namespace
}  // namespace aladdin
