// A driver for the fuzz targets where there is no libFuzzer: mutates the seeds without looking at coverage.
//
//   blind_<target> SEEDS SECONDS [SEED]
//
// Flips, inserts, removes, doubles and exchanges bytes and numbers, and joins seeds. The address space is
// held to 160 MB more than there is at the start, so that a large allocation is a finding, too; the address
// sanitizer, which takes far more for itself, holds each allocation to that. The input of a crash stays in
// /dev/shm/aladdin_fuzz_<process>.
#include <sys/resource.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <vector>

#include "aladdin/core/rng.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#ifdef __SANITIZE_ADDRESS__
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=160"; }
#endif

namespace {

using namespace aladdin;

constexpr std::size_t kLongest = 16384;

std::vector<std::string> read_seeds(const Path& folder) {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) seeds.push_back(read_text(entry.path()));
  if (seeds.empty()) fail("there are no seeds in '{}'", folder.string());
  return seeds;
}

void hold_memory() {
#ifndef __SANITIZE_ADDRESS__
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const auto now = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  const rlimit limit{now + (160ULL << 20), now + (160ULL << 20)};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), rng_(seed) {}

  std::string next() {
    std::string bytes = any_seed();
    const std::size_t times = 1 + below(4) * below(4);
    for (std::size_t n = 0; n < times; ++n) change(bytes);
    bytes.resize(std::min(bytes.size(), kLongest));
    return bytes;
  }

 private:
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(rng_.below(static_cast<std::int64_t>(n)));
  }
  const std::string& any_seed() { return seeds_[below(seeds_.size())]; }

  void change(std::string& bytes) {
    static const std::vector<std::string> words{"0",
                                                "-1",
                                                "1e308",
                                                "nan",
                                                "99999999999999999999",
                                                "2147483648",
                                                "\"",
                                                "[",
                                                "{}",
                                                "null",
                                                "true",
                                                "../",
                                                "%s",
                                                "\n",
                                                ",",
                                                "=",
                                                ":",
                                                std::string(8, '\xff'),
                                                std::string(8, '\0'),
                                                std::string(600, 'A')};
    const std::size_t at = below(bytes.size() + 1), length = below(bytes.size() - at + 1) % 64;
    switch (below(8)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 4:
        bytes.insert(at, words[below(words.size())]);
        break;
      case 5:
        bytes.replace(at, length, words[below(words.size())]);
        break;
      case 6: {
        const std::string& other = any_seed();
        const std::size_t from = below(other.size() + 1);
        bytes = bytes.substr(0, at) + other.substr(from);
        break;
      }
      default:
        set_number(bytes, at);
    }
  }

  // One of the numbers at which sizes go wrong, of 1 to 8 bytes, in either order.
  void set_number(std::string& bytes, std::size_t at) {
    static constexpr std::int64_t kNumbers[] = {
        0, 1, -1, 127, 128, 255, 32767, 32768, 2147483647, 2147483648, 1LL << 40, INT64_MAX};
    std::int64_t number = kNumbers[below(std::size(kNumbers))];
    if (below(2))
      number = static_cast<std::int64_t>(__builtin_bswap64(static_cast<std::uint64_t>(number)));
    char raw[8];
    std::memcpy(raw, &number, sizeof raw);
    const std::size_t width = std::size_t{1} << below(4);
    for (std::size_t n = 0; n < width && at + n < bytes.size(); ++n) bytes[at + n] = raw[n];
  }

  std::vector<std::string> seeds_;
  Rng rng_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) return std::fprintf(stderr, "blind SEEDS SECONDS [SEED]\n"), 2;
  const auto run = [](const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  };
  const auto seeds = read_seeds(argv[1]);
  for (const auto& bytes : seeds) run(bytes);
  hold_memory();
  Mutator mutator(seeds, argc > 3 ? std::stoull(argv[3]) : 1);
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(std::stod(argv[2]));
  long long executions = 0;
  for (; std::chrono::steady_clock::now() < end; ++executions) run(mutator.next());
  std::printf("number_of_executed_units: %lld\n", executions);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "unexpected: %s\n", error.what());
  std::abort();
}
