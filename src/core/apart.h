// Runs work that may fail in any way in a separate process: the libraries that read DICOM, NRRD, MetaImage and HDF5
// overrun memory, abort or loop on malicious files. Such a file only reaches a copy of this process, which returns some
// bytes and ends.
//
// The child begins as a copy of this thread alone: `work` may use neither threads (OpenMP, ITK's pool) nor the log, whose
// locks another thread may have held. What it prints is dropped.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include "aladdin/core/error.h"

namespace aladdin {

struct ApartLimits {
  std::uint64_t memory_bytes;  // beyond what this process has
  int cpu_seconds;             // and six times that on the clock
};
// For reading `stored_bytes` that unpack to at most `unpacked_bytes`: generous for every honest file.
ApartLimits limits_for(std::uint64_t stored_bytes, std::uint64_t unpacked_bytes);

// The bytes that work() returns in a process of its own. Its Error is thrown here; where the process ends in any other
// way, `died` is.
std::string run_apart(const ApartLimits& limits, const Error& died,
                      const std::function<std::string()>& work);

// Numbers and structs of numbers, one after the other, as `work` hands them back. The child may have been taken over:
// whoever takes them checks sizes first.
template <class T>
void append_bytes(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
// Takes `count` bytes from the front; throws where there are fewer.
std::string_view take_bytes(std::string_view& bytes, std::uint64_t count);
template <class T>
T take(std::string_view& bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  take_bytes(bytes, sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

}  // namespace aladdin
