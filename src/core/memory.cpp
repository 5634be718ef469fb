#include "aladdin/core/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "aladdin/core/text.h"

namespace aladdin {

std::uint64_t available_memory() {
  const auto number_in = [](const char* path,
                            std::string_view key) -> std::optional<std::uint64_t> {
    std::ifstream stream(path);
    for (std::string word; stream >> word;) {
      if (key.empty() || word == key) {
        if (!key.empty() && !(stream >> word)) break;
        const auto number = parse_integer(word);
        return number ? std::optional<std::uint64_t>(static_cast<std::uint64_t>(*number))
                      : std::nullopt;
      }
    }
    return std::nullopt;
  };
  std::uint64_t free = 4ULL << 30;
  if (const auto kilobytes = number_in("/proc/meminfo", "MemAvailable:")) free = *kilobytes << 10;
  const auto limit = number_in("/sys/fs/cgroup/memory.max", "");
  const auto used = number_in("/sys/fs/cgroup/memory.current", "");
  if (limit && used) free = std::min(free, *limit > *used ? *limit - *used : 0);
  return free;
}

std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

}  // namespace aladdin
