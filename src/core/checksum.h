// 64 bits that change with any byte of a file; not for adversaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace aladdin {

std::uint64_t checksum(const std::byte* bytes, std::size_t count);
// As sixteen digits.
std::string hex_checksum(std::string_view bytes);

}  // namespace aladdin
