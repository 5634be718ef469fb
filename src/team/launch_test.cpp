#include "aladdin/team/launch.h"

#include <gtest/gtest.h>

#include <map>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

Launch launch_with(const std::map<std::string, std::string>& variables) {
  return find_launch([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(Launch, NothingSaidIsOneProcess) {
  for (const auto& variables : std::vector<std::map<std::string, std::string>>{
           {},
           {{"RANK", "0"}},
           {{"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "1234"}},
           // In a batch script, without srun.
           {{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", "7"}},
           {{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}, {"MASTER_PORT", "none"}}}) {
    const Launch launch = launch_with(variables);
    EXPECT_EQ(launch.size, 1);
    EXPECT_EQ(launch.port, 0);
  }
}

TEST(Launch, Torchrun) {
  const Launch launch = launch_with({{"RANK", "3"},
                                     {"WORLD_SIZE", "4"},
                                     {"LOCAL_RANK", "1"},
                                     {"LOCAL_WORLD_SIZE", "2"},
                                     {"MASTER_ADDR", "10.0.0.1"},
                                     {"MASTER_PORT", "1234"}});
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.size, 4);
  EXPECT_EQ(launch.local_rank, 1);
  EXPECT_EQ(launch.local_size, 2);
  EXPECT_EQ(launch.address, "10.0.0.1");
  EXPECT_EQ(launch.port, 1234);
}

TEST(Launch, MpirunOnOneMachineStaysThere) {
  std::map<std::string, std::string> variables{{"OMPI_COMM_WORLD_RANK", "1"},
                                               {"OMPI_COMM_WORLD_SIZE", "2"},
                                               {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                               {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                               {"OMPI_MCA_ess_base_jobid", "3271491585"}};
  const Launch launch = launch_with(variables);
  EXPECT_EQ(launch.rank, 1);
  EXPECT_EQ(launch.address, "127.0.0.1");
  EXPECT_GE(launch.port, 1024);
  variables["OMPI_COMM_WORLD_LOCAL_SIZE"] = "1";
  EXPECT_THROW(launch_with(variables), Error);
  variables["MASTER_ADDR"] = "node1";
  EXPECT_EQ(launch_with(variables).address, "node1");
}

TEST(Launch, SrunSaysWhereTheFirstIs) {
  const std::map<std::string, std::string> variables{{"SLURM_PROCID", "5"},
                                                     {"SLURM_STEP_NUM_TASKS", "6"},
                                                     {"SLURM_LOCALID", "2"},
                                                     {"SLURM_STEP_TASKS_PER_NODE", "3(x2)"},
                                                     {"SLURM_JOB_ID", "41"},
                                                     {"SLURM_STEP_ID", "0"},
                                                     {"SLURM_STEP_NODELIST", "knee[07-08]"}};
  const Launch launch = launch_with(variables);
  EXPECT_EQ(launch.rank, 5);
  EXPECT_EQ(launch.size, 6);
  EXPECT_EQ(launch.local_rank, 2);
  EXPECT_EQ(launch.local_size, 3);
  EXPECT_EQ(launch.address, "knee07");
  EXPECT_EQ(launch.port, launch_with(variables).port);
}

TEST(Launch, HostLists) {
  EXPECT_EQ(first_host("node1"), "node1");
  EXPECT_EQ(first_host("node1,node2"), "node1");
  EXPECT_EQ(first_host("node[03-07,12],login"), "node03");
  EXPECT_EQ(first_host("node[5]"), "node5");
  EXPECT_EQ(first_host("r[1-2]n,x"), "r1n");
  EXPECT_EQ(first_host(""), "");
  EXPECT_EQ(first_host("broken["), "broken");
}

TEST(Launch, NonsenseIsRefused) {
  EXPECT_THROW(launch_with({{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}}), Error);
  EXPECT_THROW(launch_with({{"RANK", "x"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}}), Error);
  EXPECT_THROW(launch_with({{"RANK", "0"}, {"WORLD_SIZE", "2"}}), Error);
  EXPECT_THROW(
      launch_with(
          {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "99999"}}),
      Error);
}

}  // namespace
}  // namespace aladdin
