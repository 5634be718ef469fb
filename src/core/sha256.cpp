#include "aladdin/core/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <vector>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

constexpr std::size_t kBlock = 64;

// The constants of the standard are the fractions of square and cube roots of the first primes.
std::array<std::uint32_t, 64> first_primes() {
  std::array<std::uint32_t, 64> primes{};
  std::size_t found = 0;
  for (std::uint32_t n = 2; found < primes.size(); ++n)
    if (std::none_of(primes.begin(), primes.begin() + static_cast<std::ptrdiff_t>(found),
                     [n](std::uint32_t p) { return n % p == 0; }))
      primes[found++] = n;
  return primes;
}
std::uint32_t fraction(long double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

class Sha256 {
 public:
  Sha256() {
    const auto primes = first_primes();
    for (std::size_t n = 0; n < 64; ++n)
      constants_[n] = fraction(std::cbrt(static_cast<long double>(primes[n])));
    for (std::size_t n = 0; n < 8; ++n)
      state_[n] = fraction(std::sqrt(static_cast<long double>(primes[n])));
  }

  void add(std::string_view bytes) {
    length_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t taken = std::min(kBlock - held_, bytes.size());
      std::memcpy(block_.data() + held_, bytes.data(), taken);
      held_ += taken;
      bytes.remove_prefix(taken);
      if (held_ == kBlock) mix();
    }
  }

  std::string digest() {
    const std::uint64_t bits = 8 * length_;
    std::string end(1, '\x80');
    end.resize(1 + (119 - length_ % kBlock) % kBlock, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>(bits >> shift & 0xff);
    add(end);
    std::string text;
    for (const std::uint32_t word : state_) text += fmt::format("{:08x}", word);
    return text;
  }

 private:
  void mix() {
    held_ = 0;
    std::array<std::uint32_t, 64> w;
    for (std::size_t n = 0; n < 16; ++n)
      w[n] = static_cast<std::uint32_t>(block_[4 * n]) << 24 | block_[4 * n + 1] << 16 |
             block_[4 * n + 2] << 8 | block_[4 * n + 3];
    for (std::size_t n = 16; n < 64; ++n) {
      const std::uint32_t a = w[n - 15], b = w[n - 2];
      w[n] = w[n - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[n - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t n = 0; n < 64; ++n) {
      const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                  ((e & f) ^ (~e & g)) + constants_[n] + w[n];
      const std::uint32_t second =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const std::array<std::uint32_t, 8> more{a, b, c, d, e, f, g, h};
    for (std::size_t n = 0; n < 8; ++n) state_[n] += more[n];
  }

  std::array<std::uint32_t, 64> constants_{};
  std::array<std::uint32_t, 8> state_{};
  std::array<std::uint8_t, kBlock> block_{};
  std::size_t held_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digest();
}

std::string sha256_of_file(const Path& path) {
  file_bytes(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot read '{}'", path.string());
  Sha256 sum;
  std::vector<char> piece(1 << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
    sum.add({piece.data(), static_cast<std::size_t>(file.gcount())});
  if (file.bad()) fail("cannot read '{}'", path.string());
  return sum.digest();
}

}  // namespace aladdin
