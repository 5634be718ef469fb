// How this process was started, and with how many others, from the environment that torchrun, mpirun (Open MPI) and
// srun set.
//
//   rank, size    RANK, WORLD_SIZE             OMPI_COMM_WORLD_RANK, _SIZE        SLURM_PROCID, SLURM_STEP_NUM_TASKS
//   on a machine  LOCAL_RANK, LOCAL_WORLD_SIZE OMPI_COMM_WORLD_LOCAL_RANK, _SIZE  SLURM_LOCALID, SLURM_STEP_TASKS_PER_NODE
//   address       MASTER_ADDR                  this machine, if all are on it     the first host of SLURM_STEP_NODELIST
//   port          MASTER_PORT, else from the number of the job, else 29500
//
// The first column that is complete counts; MASTER_ADDR and MASTER_PORT count for all. A batch script of Slurm
// without srun is one process, whatever its --ntasks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace aladdin {

struct Launch {
  int rank = 0, size = 1;
  int local_rank = 0, local_size = 1;  // among those on the same machine
  std::string address;                 // where rank 0 waits for the others
  std::uint16_t port = 0;
};

// The value of a variable, if it is set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Throws (usage) where the variables contradict themselves or an address is missing.
Launch find_launch(const Environment& environment);
// From the environment of this process.
Launch find_launch();

// "node[03-07,12],login" is a list of hosts as Slurm writes it: node03.
std::string first_host(const std::string& list);

}  // namespace aladdin
