#include "aladdin/core/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <vector>

#include "aladdin/core/error.h"

// What this program has had flushed, and what the disk says of folders.
namespace {
std::vector<std::filesystem::path> flushed;
int problem_of_folders = 0;
}  // namespace

extern "C" int fsync(int file) {
  std::error_code ignored;
  flushed.push_back(
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), ignored));
  struct stat status {};
  const bool folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  if (!folder || problem_of_folders == 0) return static_cast<int>(syscall(SYS_fsync, file));
  errno = problem_of_folders;
  return -1;
}

namespace aladdin {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        Path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override {
    problem_of_folders = 0;
    std::filesystem::remove_all(folder_);
  }
  // The name that the next file beside `name` gets: process and counter are known to whoever looks.
  Path next_beside(const std::string& name) const {
    const Path beside = AtomicFile(folder_ / name).path();
    const std::string stem = stem_of(beside);
    const std::size_t begin = stem.rfind('.') + 1;
    const int counter = std::stoi(stem.substr(begin));
    return folder_ / (stem.substr(0, begin) + std::to_string(counter + 1) + full_extension(beside));
  }
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

TEST_F(Files, ASignalRemovesWhatIsNotFinishedAndThenEndsTheProcess) {
  const auto killed_while_writing = [&] {
    remove_unfinished_files_on_signals();
    write_text(folder_ / "whole.txt", "whole");
    AtomicFile done(folder_ / "done.txt"), half(folder_ / "half.txt"), other(folder_ / "other.txt");
    for (const auto* file : {&done, &half, &other}) std::ofstream(file->path()) << "some";
    done.commit();
    raise(SIGTERM);
  };
  EXPECT_EXIT(killed_while_writing(), testing::KilledBySignal(SIGTERM), "");
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    left.push_back(entry.path().filename());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"done.txt", "whole.txt"}));
}

TEST_F(Files, CommitReplacesTheOldFile) {
  write_text(folder_ / "deep/er/a.txt", "old");
  write_text(folder_ / "deep/er/a.txt", "new");
  EXPECT_EQ(read_text(folder_ / "deep/er/a.txt"), "new");
}

TEST_F(Files, CommitReplacesALinkAndNotWhatItLeadsTo) {
  write_text(folder_ / "elsewhere/a.txt", "theirs");
  std::filesystem::create_directories(folder_ / "ours");
  std::filesystem::create_symlink("../elsewhere/a.txt", folder_ / "ours/a.txt");
  write_text(folder_ / "ours/a.txt", "ours");
  EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "ours/a.txt"));
  EXPECT_EQ(read_text(folder_ / "ours/a.txt"), "ours");
  EXPECT_EQ(read_text(folder_ / "elsewhere/a.txt"), "theirs");
}

TEST_F(Files, ALinkAtTheTemporaryNameIsNotFollowed) {
  write_text(folder_ / "theirs.txt", "theirs");
  std::filesystem::create_symlink("theirs.txt", next_beside("a.txt"));
  write_text(folder_ / "a.txt", "ours");
  EXPECT_EQ(read_text(folder_ / "theirs.txt"), "theirs");
  EXPECT_EQ(read_text(folder_ / "a.txt"), "ours");
  // Nor one that comes after the name was taken.
  const AtomicFile file(folder_ / "a.txt");
  std::filesystem::remove(file.path());
  std::filesystem::create_symlink("theirs.txt", file.path());
  EXPECT_THROW(FileWriter(file.path(), folder_ / "a.txt").write("ours"), Error);
  EXPECT_EQ(read_text(folder_ / "theirs.txt"), "theirs");
}

TEST_F(Files, AFileAtTheTemporaryNameIsAnothers) {
  const Path theirs = next_beside("a.txt");
  std::ofstream(theirs) << "theirs";
  write_text(folder_ / "a.txt", "ours");
  EXPECT_EQ(read_text(theirs), "theirs");
  EXPECT_EQ(read_text(folder_ / "a.txt"), "ours");
}

TEST_F(Files, TheFoldersAboveANewOneAreFlushed) {
  std::filesystem::create_directories(folder_ / "old");
  const Path old = std::filesystem::canonical(folder_ / "old");
  flushed.clear();
  make_folder(folder_ / "old/new/deep");
  EXPECT_EQ(flushed, (std::vector<Path>{old / "new", old}));
  flushed.clear();
  make_folder(folder_ / "old/new/deep");
  EXPECT_TRUE(flushed.empty());
  write_text(folder_ / "old/a.txt", "x");
  ASSERT_EQ(flushed.size(), 2U);  // the file, and its name
  EXPECT_EQ(flushed.back(), old);
}

TEST_F(Files, ADiskThatFailsIsReportedAndOneThatCannotFlushFoldersIsNot) {
  for (const int code : {EINVAL, ENOTSUP}) {
    problem_of_folders = code;
    EXPECT_NO_THROW(write_text(folder_ / "a.txt", "x")) << code;
  }
  for (const int code : {EIO, ENOSPC}) {
    problem_of_folders = code;
    EXPECT_THROW(write_text(folder_ / "a.txt", "x"), Error) << code;
  }
}

TEST_F(Files, AFolderNeedNotBeReadable) {
  std::filesystem::create_directories(folder_);
  std::filesystem::permissions(folder_, std::filesystem::perms{0333});
  const auto write_there = [&] {
    const bool lesser = geteuid() != 0 || setuid(65534) == 0;  // root may read everything
    write_text(folder_ / "a.txt", "x");
    _exit(lesser ? 0 : 1);
  };
  EXPECT_EXIT(write_there(), testing::ExitedWithCode(0), "");
  std::filesystem::permissions(folder_, std::filesystem::perms{0700});
  EXPECT_EQ(read_text(folder_ / "a.txt"), "x");
}

TEST_F(Files, TheTemporaryNameKeepsTheExtension) {
  EXPECT_EQ(full_extension(AtomicFile(folder_ / "x.nii.gz").path()), ".nii.gz");
}

TEST_F(Files, NothingIsOverwrittenWithoutForce) {
  write_text(folder_ / "a.txt", "old");
  EXPECT_THROW(require_writable(folder_ / "a.txt", false), Error);
  EXPECT_NO_THROW(require_writable(folder_ / "a.txt", true));
  EXPECT_NO_THROW(require_writable(folder_ / "b.txt", false));
  EXPECT_THROW(require_writable(folder_, true), Error);
}

TEST_F(Files, ReadingNamesWhatIsWrong) {
  EXPECT_THROW(read_text(folder_ / "absent"), Error);
  write_text(folder_ / "long.txt", "0123456789");
  EXPECT_THROW(read_text(folder_ / "long.txt", 5), Error);
  EXPECT_THROW(read_text(folder_), Error);
  EXPECT_EQ(read_start(folder_ / "long.txt", 5), "01234");
  EXPECT_EQ(read_start(folder_ / "long.txt", 50), "0123456789");
}

TEST_F(Files, WhatMayTakeForeverIsNotOpened) {
  write_text(folder_ / "empty.txt", "");
  write_text(folder_ / "two.txt", "ab");
  EXPECT_EQ(file_bytes(folder_ / "empty.txt"), 0U);
  EXPECT_EQ(file_bytes(folder_ / "two.txt"), 2U);
  EXPECT_NO_THROW(require_file(folder_ / "two.txt"));
  EXPECT_THROW(require_file(folder_ / "empty.txt"), Error);
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const Path& path : {folder_ / "pipe", folder_, Path("/dev/zero"), folder_ / "absent"}) {
    EXPECT_THROW(read_text(path), Error);
    EXPECT_THROW(require_file(path), Error);
  }
}

TEST_F(Files, FoldersAreToldFromFiles) {
  write_text(folder_ / "a.txt", "x");
  EXPECT_TRUE(is_folder(folder_));
  EXPECT_FALSE(is_folder(folder_ / "a.txt"));
  EXPECT_FALSE(is_folder(folder_ / "absent"));
  EXPECT_FALSE(is_folder(folder_ / std::string(300, 'x')));
}

TEST(FileNames, ExtensionsAndStems) {
  EXPECT_EQ(full_extension("a/b.NII.GZ"), ".nii.gz");
  EXPECT_EQ(stem_of("a/sub-01.2_T1w.nii.gz"), "sub-01.2_T1w");
  EXPECT_EQ(stem_of("a/b"), "b");
}

}  // namespace
}  // namespace aladdin
