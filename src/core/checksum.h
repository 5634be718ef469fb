// 64 bits that change with any byte of a file; not for adversaries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aladdin {

std::uint64_t checksum(const std::byte* bytes, std::size_t count);

}  // namespace aladdin
