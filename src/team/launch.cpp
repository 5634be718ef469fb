#include "aladdin/team/launch.h"

#include <cstdlib>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

constexpr int kMostRanks = 65536;
constexpr std::uint16_t kDefaultPort = 29500;

class Variables {
 public:
  explicit Variables(const Environment& environment) : environment_(environment) {}

  std::optional<std::string> text(const std::string& name) const {
    const auto value = environment_(name);
    return value && !value->empty() ? value : std::nullopt;
  }
  bool has(const std::string& name) const { return text(name).has_value(); }
  int number(const std::string& name, int least, int most) const {
    const auto value = text(name);
    const auto parsed = value ? parse_integer(*value) : std::nullopt;
    if (!parsed || *parsed < least || *parsed > most)
      fail_usage("the variable {} is '{}', expected a number from {} to {}", name,
                 value.value_or(""), least, most);
    return static_cast<int>(*parsed);
  }
  int number_or(const std::string& name, int least, int most, int otherwise) const {
    return has(name) ? number(name, least, most) : otherwise;
  }

 private:
  const Environment& environment_;
};

void set_ranks(Launch& launch, const Variables& v, const std::string& rank,
               const std::string& size) {
  launch.size = v.number(size, 1, kMostRanks);
  launch.rank = v.number(rank, 0, launch.size - 1);
}

void set_local(Launch& launch, const Variables& v, const std::string& rank,
               const std::string& size) {
  launch.local_size = v.number_or(size, 1, launch.size, 1);
  launch.local_rank = v.number_or(rank, 0, launch.size - 1, 0);
}

// One of 8,192 ports that a job number gives, below those that the system hands out.
std::uint16_t port_of_job(const std::string& number) {
  std::uint64_t hash = 0;
  for (const char c : number) hash = hash * 31 + static_cast<unsigned char>(c);
  return static_cast<std::uint16_t>(20000 + hash % 8192);
}

void set_address(Launch& launch, const Variables& v, const std::string& address,
                 std::uint16_t port) {
  launch.address = v.text("MASTER_ADDR").value_or(address);
  launch.port = static_cast<std::uint16_t>(v.number_or("MASTER_PORT", 1, 65535, port));
  if (launch.address.empty())
    throw Error(fmt::format("{} processes were started, but MASTER_ADDR is not set", launch.size),
                ExitCode::usage)
        .hint("give the address of the first: mpirun -x MASTER_ADDR=… -x MASTER_PORT=…");
}

void read_slurm(Launch& launch, const Variables& v) {
  set_ranks(launch, v, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS");
  if (launch.size == 1) return;
  launch.local_rank = v.number_or("SLURM_LOCALID", 0, launch.size - 1, 0);
  // "2(x3),1": the first number is that of the first machine, at least as many as on any other.
  const std::string tasks = v.text("SLURM_STEP_TASKS_PER_NODE").value_or("1");
  const auto first = parse_integer(tasks.substr(0, tasks.find_first_of("(,")));
  launch.local_size = first && *first >= 1 && *first <= launch.size ? static_cast<int>(*first) : 1;
  const std::string hosts =
      v.text("SLURM_STEP_NODELIST").value_or(v.text("SLURM_JOB_NODELIST").value_or(""));
  const std::string job =
      v.text("SLURM_JOB_ID").value_or("") + "." + v.text("SLURM_STEP_ID").value_or("");
  set_address(launch, v, first_host(hosts), port_of_job(job));
}

}  // namespace

std::string first_host(const std::string& list) {
  const std::string one = list.substr(0, list.find_first_of(",["));
  if (one.size() == list.size() || list[one.size()] == ',') return one;
  const std::string range = list.substr(one.size() + 1);
  const std::string rest = range.substr(std::min(range.find(']'), range.size()));
  // What follows the bracket belongs to every host of it: "r[1-2]n" is r1n, r2n.
  const std::string tail = rest.empty() ? "" : rest.substr(1, rest.find_first_of(",[", 1) - 1);
  return one + range.substr(0, range.find_first_of("-,]")) + tail;
}

Launch find_launch(const Environment& environment) {
  const Variables v(environment);
  Launch launch;
  if (v.has("RANK") && v.has("WORLD_SIZE")) {
    set_ranks(launch, v, "RANK", "WORLD_SIZE");
    set_local(launch, v, "LOCAL_RANK", "LOCAL_WORLD_SIZE");
    if (launch.size > 1) set_address(launch, v, "", kDefaultPort);
  } else if (v.has("OMPI_COMM_WORLD_RANK") && v.has("OMPI_COMM_WORLD_SIZE")) {
    set_ranks(launch, v, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
    set_local(launch, v, "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE");
    const auto job = v.text("OMPI_MCA_ess_base_jobid");
    if (launch.size > 1)
      set_address(launch, v, launch.local_size == launch.size ? "127.0.0.1" : "",
                  job ? port_of_job(*job) : kDefaultPort);
  } else if (v.has("SLURM_PROCID") && v.has("SLURM_STEP_NUM_TASKS")) {
    read_slurm(launch, v);
  }
  return launch;
}

Launch find_launch() {
  return find_launch([](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  });
}

}  // namespace aladdin
