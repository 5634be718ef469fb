// The memory of the machine and of this process, in bytes.
#pragma once

#include <cstdint>
#include <filesystem>

namespace aladdin {

// What this process may still allocate: free memory, or what its control group or one above it leaves (a container's, a
// Slurm job's, a systemd unit's; versions 1 and 2). Files in memory that the system can drop count as free. `root`:
// another /, for tests.
std::uint64_t available_memory(const std::filesystem::path& root = "/");
// What this process holds now, and the most that it held.
std::uint64_t resident_memory();
std::uint64_t peak_memory();

}  // namespace aladdin
