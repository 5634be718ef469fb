#include "aladdin/core/files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        Path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Path folder_;
};

TEST_F(Files, AnAbandonedFileLeavesTheOldOneAndNothingBesides) {
  write_text(folder_ / "a.txt", "old");
  {
    AtomicFile file(folder_ / "a.txt");
    std::ofstream(file.path()) << "half";
  }
  EXPECT_EQ(read_text(folder_ / "a.txt"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(Files, CommitReplacesTheOldFile) {
  write_text(folder_ / "deep/er/a.txt", "old");
  write_text(folder_ / "deep/er/a.txt", "new");
  EXPECT_EQ(read_text(folder_ / "deep/er/a.txt"), "new");
}

TEST_F(Files, TheTemporaryNameKeepsTheExtension) {
  EXPECT_EQ(full_extension(AtomicFile(folder_ / "x.nii.gz").path()), ".nii.gz");
}

TEST_F(Files, NothingIsOverwrittenWithoutForce) {
  write_text(folder_ / "a.txt", "old");
  EXPECT_THROW(require_writable(folder_ / "a.txt", false), Error);
  EXPECT_NO_THROW(require_writable(folder_ / "a.txt", true));
  EXPECT_NO_THROW(require_writable(folder_ / "b.txt", false));
}

TEST_F(Files, ReadingNamesWhatIsWrong) {
  EXPECT_THROW(read_text(folder_ / "absent"), Error);
  write_text(folder_ / "long.txt", "0123456789");
  EXPECT_THROW(read_text(folder_ / "long.txt", 5), Error);
  EXPECT_THROW(read_text(folder_), Error);
}

TEST(FileNames, ExtensionsAndStems) {
  EXPECT_EQ(full_extension("a/b.NII.GZ"), ".nii.gz");
  EXPECT_EQ(stem_of("a/sub-01.2_T1w.nii.gz"), "sub-01.2_T1w");
  EXPECT_EQ(stem_of("a/b"), "b");
}

}  // namespace
}  // namespace aladdin
