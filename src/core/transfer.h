// Whole pieces of an open file, whatever the system interrupts.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace aladdin {

// Calls move(file, bytes, count, offset), that is pread or pwrite, until all were moved; false with errno where it fails.
template <class Byte, class Move>
bool move_all(Move move, int file, Byte* bytes, std::size_t count, std::size_t offset) {
  while (count > 0) {
    const ssize_t done = move(file, bytes, count, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = EIO;
    if (done <= 0) return false;
    bytes += done;
    offset += static_cast<std::size_t>(done);
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace aladdin
