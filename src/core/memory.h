// Of the machine and of this process, in bytes.
#pragma once

#include <cstdint>

namespace aladdin {

// What this process may still allocate: free memory, or what its control group leaves.
std::uint64_t available_memory();
// What it holds now, and what it held at most.
std::uint64_t resident_memory();
std::uint64_t peak_memory();

}  // namespace aladdin
