#include "aladdin/core/checksum.h"

#include <fmt/format.h>

#include <cstring>

namespace aladdin {

std::uint64_t checksum(const std::byte* bytes, std::size_t count) {
  // Four lanes of multiply and rotate keep up with the disk.
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  std::uint64_t lane[4] = {count, 1, 2, 3};
  const auto mix = [](std::uint64_t& state, std::uint64_t word) {
    state = (state ^ word) * kMultiplier;
    state ^= state >> 29;
  };
  std::size_t at = 0;
  for (; at + 32 <= count; at += 32)
    for (int n = 0; n < 4; ++n) {
      std::uint64_t word;
      std::memcpy(&word, bytes + at + 8 * n, 8);
      mix(lane[n], word);
    }
  for (; at < count; ++at) mix(lane[0], static_cast<std::uint64_t>(bytes[at]));
  for (int n = 1; n < 4; ++n) mix(lane[0], lane[n]);
  return lane[0];
}

std::string hex_checksum(std::string_view bytes) {
  return fmt::format("{:016x}",
                     checksum(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
}

}  // namespace aladdin
