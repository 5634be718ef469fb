#include "aladdin/kernels/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <new>

#if defined(__has_feature)
#define ALADDIN_CLANG_SANITIZES __has_feature(address_sanitizer)
#else
#define ALADDIN_CLANG_SANITIZES 0
#endif

namespace aladdin::kernels {
namespace {

constexpr std::size_t kLine = 64, kHugePage = 2UL << 20;
constexpr std::size_t kUnit = 1UL << 16;  // of the pool: sizes and addresses
// Smaller ones are the allocator's business; with a sanitizer all are, so that it sees what is written beside them.
#if defined(__SANITIZE_ADDRESS__) || ALADDIN_CLANG_SANITIZES
constexpr std::size_t kPooled = std::numeric_limits<std::size_t>::max();
#else
constexpr std::size_t kPooled = kUnit;
#endif

char* map_at(char* wanted, std::size_t bytes) {
  void* const start =
      mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start == MAP_FAILED ? nullptr : static_cast<char*>(start);
}

// From the system and back to it: the allocator keeps freed memory of this size for itself. If the system agrees it
// ends at `end`, so that it can serve together with what is there. Null if there is none.
char* map_memory(std::size_t bytes, char* end) {
  if (end) {
    char* const start = map_at(end - bytes, bytes);
    if (start && start + bytes == end) {
      madvise(start, bytes, MADV_HUGEPAGE);  // advice: nothing depends on it
      return start;
    }
    if (start) munmap(start, bytes);
  }
  char* start = map_at(nullptr, bytes + kHugePage);
  if (!start) return nullptr;
  const std::size_t after = reinterpret_cast<std::uintptr_t>(start + bytes) % kHugePage;
  if (after > 0) munmap(start + bytes + kHugePage - after, after);
  munmap(start, kHugePage - after);
  start += kHugePage - after;
  madvise(start, bytes, MADV_HUGEPAGE);
  return start;
}

// Idle memory serves again, but never so that memory in use and idle memory together hold an eighth more than was in use
// at some time. Neighbouring idle pieces become one.
class Pool {
 public:
  float* take(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    auto piece = smallest_idle(bytes);
    if (piece == pieces_.end()) piece = map_piece(bytes);
    if (piece->second.bytes > bytes) {  // its end
      const std::size_t rest = piece->second.bytes - bytes;
      const auto end = pieces_.emplace_hint(std::next(piece), piece->first + rest, Piece{bytes});
      piece->second.bytes = rest;
      piece = end;
    }
    piece->second.used = true;
    idle_bytes_ -= bytes;
    used_bytes_ += bytes;
    most_used_ = std::max(most_used_, used_bytes_);
    return reinterpret_cast<float*>(piece->first);
  }

  // False if it is none of ours.
  bool give(float* memory) {
    const std::scoped_lock lock(mutex_);
    auto piece = pieces_.find(reinterpret_cast<char*>(memory));
    if (piece == pieces_.end()) return false;
    piece->second.used = false;
    idle_bytes_ += piece->second.bytes;
    used_bytes_ -= piece->second.bytes;
    if (piece != pieces_.begin() && join(std::prev(piece), piece)) return true;
    join(piece, std::next(piece));
    return true;
  }

 private:
  struct Piece {
    std::size_t bytes = 0;
    bool used = false;
  };
  using Pieces = std::map<char*, Piece>;

  // Both idle and next to each other: the second, and what follows it, becomes part of the first.
  bool join(Pieces::iterator first, Pieces::iterator second) {
    if (second == pieces_.end() || first->second.used || second->second.used ||
        first->first + first->second.bytes != second->first)
      return false;
    first->second.bytes += second->second.bytes;
    join(first, pieces_.erase(second));
    return true;
  }

  Pieces::iterator smallest_idle(std::size_t least) {
    auto best = pieces_.end();
    for (auto piece = pieces_.begin(); piece != pieces_.end(); ++piece)
      if (!piece->second.used && piece->second.bytes >= least &&
          (best == pieces_.end() || piece->second.bytes < best->second.bytes))
        best = piece;
    return best;
  }

  Pieces::iterator map_piece(std::size_t bytes) {
    const std::size_t wanted = used_bytes_ + bytes, most = std::max(most_used_, wanted);
    drop_until(most + most / 8 - wanted);
    char* start = map_memory(bytes, newest_);
    if (!start) {
      drop_until(0);
      start = map_memory(bytes, newest_);
    }
    if (!start) throw std::bad_alloc();
    const auto piece = pieces_.emplace(start, Piece{bytes}).first;
    newest_ = start;
    idle_bytes_ += bytes;
    return piece;
  }

  void drop_until(std::size_t most) {
    while (idle_bytes_ > most) {  // small pieces first: they serve least
      const auto least = smallest_idle(0);
      idle_bytes_ -= least->second.bytes;
      munmap(least->first, least->second.bytes);
      pieces_.erase(least);
    }
  }

  std::mutex mutex_;
  Pieces pieces_;           // by address
  char* newest_ = nullptr;  // where the newest memory starts
  std::size_t idle_bytes_ = 0, used_bytes_ = 0, most_used_ = 0;
};

Pool& pool() {
  static Pool* const instance = new Pool;  // never destroyed: buffers may outlive other statics
  return *instance;
}

}  // namespace

void FreeBuffer::operator()(float* memory) const {
  const bool may_be_pooled = reinterpret_cast<std::uintptr_t>(memory) % kUnit == 0;
  if (!may_be_pooled || !pool().give(memory)) std::free(memory);
}

Buffer make_buffer(std::int64_t floats) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 8;
  if (floats < 0 || floats > kMost) throw std::bad_alloc();
  const std::size_t wanted = static_cast<std::size_t>(floats) * sizeof(float);
  const auto rounded = [&](std::size_t unit) { return (wanted + unit - 1) / unit * unit; };
  if (wanted >= kPooled) return Buffer(pool().take(rounded(kUnit)));
  void* const memory = std::aligned_alloc(kLine, rounded(kLine));
  if (!memory) throw std::bad_alloc();
  return Buffer(static_cast<float*>(memory));
}

}  // namespace aladdin::kernels
