#include "aladdin/core/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "aladdin/core/text.h"

namespace aladdin {
namespace {

using Path = std::filesystem::path;

// The number behind `key`, or the first word where there is no key.
std::optional<std::uint64_t> number_in(const Path& path, std::string_view key = "") {
  std::ifstream stream(path);
  for (std::string word; stream >> word;) {
    if (!key.empty() && word != key) continue;
    if (!key.empty() && !(stream >> word)) break;
    const auto number = parse_integer(word);
    if (!number || *number < 0) break;
    return static_cast<std::uint64_t>(*number);
  }
  return std::nullopt;
}

// The files of one version.
struct GroupFiles {
  Path hierarchy;
  const char *limit, *used, *droppable;
};

// What is left in the group `path` of a hierarchy and in all above it.
std::uint64_t left_in_groups(const GroupFiles& files, const Path& path, std::uint64_t most) {
  for (Path group = path.relative_path();; group = group.parent_path()) {
    const Path folder = files.hierarchy / group;
    const auto limit = number_in(folder / files.limit), used = number_in(folder / files.used);
    if (limit && used) {
      const std::uint64_t files_held =
          number_in(folder / "memory.stat", files.droppable).value_or(0);
      const std::uint64_t held = *used - std::min(*used, files_held);
      most = std::min(most, *limit - std::min(*limit, held));
    }
    if (group.empty()) return most;
  }
}

}  // namespace

std::uint64_t available_memory(const Path& root) {
  std::uint64_t free = 4ULL << 30;
  if (const auto kilobytes = number_in(root / "proc/meminfo", "MemAvailable:"))
    free = *kilobytes << 10;
  const Path groups = root / "sys/fs/cgroup";
  // "0::/path" of version 2, "9:memory:/path" of version 1.
  std::ifstream own(root / "proc/self/cgroup");
  for (std::string line; std::getline(own, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const Path path = line.substr(second + 1);
    if (controllers == ",,")
      free = left_in_groups({groups, "memory.max", "memory.current", "inactive_file"}, path, free);
    else if (controllers.find(",memory,") != std::string::npos)
      free = left_in_groups({groups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                             "total_inactive_file"},
                            path, free);
  }
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
