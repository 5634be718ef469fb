#include "aladdin/run/run_directory.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "aladdin/core/error.h"
#include "aladdin/run/run_files.h"
#include "aladdin/run/run_lock.h"

namespace aladdin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class RunDirectoryTest : public testing::Test {
 protected:
  RunDirectoryTest()
      : run_{std::filesystem::temp_directory_path() /
             fmt::format("aladdin_run_{}_{}", getpid(),
                         testing::UnitTest::GetInstance()->current_test_info()->name())} {}
  ~RunDirectoryTest() override { std::filesystem::remove_all(run_.folder); }
  RunDirectory run_;
};

TEST_F(RunDirectoryTest, AKilledBuildLeavesNothingForLong) {
  {
    const RunLock lock(run_);
    write_text(run_.log(), "begun\n");
  }
  const Path unfinished = run_.folder / ".run.4711.0.json";
  write_text(unfinished, "{");
  EXPECT_TRUE(is_barely_begun(run_));
  write_text(run_.folder / "notes.txt", "mine");
  EXPECT_FALSE(is_barely_begun(run_));
  write_text(run_.checkpoints() / ".step-000000000003.4711.12.safetensors", "half");
  write_text(run_.registrations() / ".0f-centring-2.4711.5.safetensors", "half");
  write_text(run_.affines() / ".one.4711.3.mat", "half");
  const Path kept = run_.transforms() / "sub-1.2.3_from-native_to-atlas_mode-image_xfm.nii.gz";
  write_text(kept, "whole");
  remove_unfinished(run_);
  EXPECT_FALSE(std::filesystem::exists(unfinished));
  EXPECT_TRUE(std::filesystem::is_empty(run_.registrations()));
  EXPECT_TRUE(std::filesystem::is_empty(run_.affines()));
  for (const Path& path : {kept, run_.lock(), run_.log(), run_.folder / "notes.txt"})
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
}

TEST_F(RunDirectoryTest, LinksOutOfItAreRefused) {
  write_text(run_.record(), "{}");
  EXPECT_NO_THROW(refuse_links(run_));
  std::filesystem::create_directory(run_.checkpoints());
  for (const Path& path : {run_.transforms(), run_.log(), run_.lock(), run_.registrations()}) {
    std::filesystem::create_symlink("/tmp", path);
    EXPECT_THAT([&] { refuse_links(run_); }, ThrowsMessage<Error>(HasSubstr("symbolic link")));
    std::filesystem::remove(path);
  }
}

TEST_F(RunDirectoryTest, OneProcessAtATime) {
  {
    const RunLock first(run_);
    EXPECT_TRUE(is_locked(run_));
    EXPECT_THAT([&] { RunLock second(run_); },
                ThrowsMessage<Error>(HasSubstr("another process is building")));
  }
  EXPECT_FALSE(is_locked(run_));
  EXPECT_NO_THROW(RunLock again(run_));
}

}  // namespace
}  // namespace aladdin
