// For the fuzz targets: the input as a file, and what a parser may do with it: read it, or refuse it with
// one Error of one line. Any other exception, a crash, a sanitizer's complaint or an allocation above the
// limit of ./run fuzz is a finding.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/log.h"

namespace aladdin::fuzz {

// A folder in memory that goes away with the program.
inline const Path& folder() {
  static const struct Folder {
    Path path = Path("/dev/shm") / fmt::format("aladdin_fuzz_{}", getpid());
    Folder() {
      std::filesystem::create_directories(path);
      log::set_level(log::Level::quiet);
    }
    ~Folder() { std::filesystem::remove_all(path); }
  } made;
  return made.path;
}

inline Path input_file(const std::string& name, const std::uint8_t* data, std::size_t size) {
  const Path path = folder() / name;
  std::filesystem::create_directories(path.parent_path());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) std::abort();
  return path;
}

// `lines`: the sentence may go on in a list, as that of a cohort does.
template <class Read>
void meet(Read&& read, bool lines = false) {
  try {
    read();
  } catch (const Error& error) {
    const std::string sentence = error.what();
    if (sentence.empty() || (!lines && sentence.find('\n') != std::string::npos)) {
      std::fprintf(stderr, "not one sentence: %s\n", error.what());
      std::abort();
    }
  }
}

}  // namespace aladdin::fuzz

#define ALADDIN_FUZZ(data, size) \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
