#include "aladdin/core/memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

namespace aladdin {
namespace {

TEST(Memory, WhatIsHeldShows) {
  EXPECT_GT(available_memory(), 1U << 20);
  const std::uint64_t before = resident_memory();
  std::vector<char> held(64 << 20, 1);
  EXPECT_GE(resident_memory(), before + held.size() / 2);
  EXPECT_GE(peak_memory(), before + held.size() / 2);
}

class ControlGroups : public ::testing::Test {
 protected:
  ControlGroups() {
    std::string name = (std::filesystem::temp_directory_path() / "aladdin_test_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no folder");
    root_ = name;
    file("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 8000 kB\n");
  }
  ~ControlGroups() override { std::filesystem::remove_all(root_); }
  void file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  // A group with a limit.
  void group(const std::string& name, const std::string& limit, int used, int files) {
    file("sys/fs/cgroup/" + name + "/memory.max", limit + "\n");
    file("sys/fs/cgroup/" + name + "/memory.current", std::to_string(used));
    file("sys/fs/cgroup/" + name + "/memory.stat",
         "anon 1\ninactive_file " + std::to_string(files) + "\n");
  }

  std::filesystem::path root_;
};

TEST_F(ControlGroups, FreeMemoryWhereThereAreNone) {
  EXPECT_EQ(available_memory(root_), 8000U << 10);
  file("proc/self/cgroup", "0::/gone/away\nnonsense\n");
  EXPECT_EQ(available_memory(root_), 8000U << 10);
}

TEST_F(ControlGroups, TheLeastThatAGroupOrOneAboveItLeaves) {
  file("proc/self/cgroup", "0::/system.slice/job_7/step_0\n");
  group("system.slice", "max", 5'000'000, 0);
  EXPECT_EQ(available_memory(root_), 8000U << 10);
  group("system.slice/job_7", "4000000", 1'000'000, 0);
  EXPECT_EQ(available_memory(root_), 3'000'000U);
  group("system.slice/job_7/step_0", "2000000", 1'900'000, 800'000);  // files can be dropped
  EXPECT_EQ(available_memory(root_), 900'000U);
  group("system.slice/job_7/step_0", "2000000", 2'900'000, 0);
  EXPECT_EQ(available_memory(root_), 0U);
}

TEST_F(ControlGroups, VersionOne) {
  file("proc/self/cgroup", "4:cpu,cpuacct:/x\n3:memory:/slurm/uid_1/job_2\n");
  const std::string job = "sys/fs/cgroup/memory/slurm/uid_1/job_2/";
  file(job + "memory.limit_in_bytes", "3000000");
  file(job + "memory.usage_in_bytes", "1000000");
  file(job + "memory.stat", "total_inactive_file 500000\n");
  file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  file("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000");
  EXPECT_EQ(available_memory(root_), 2'500'000U);
}

}  // namespace
}  // namespace aladdin
