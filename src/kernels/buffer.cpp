#include "aladdin/kernels/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>

namespace aladdin::kernels {
namespace {

constexpr std::size_t kLine = 64, kHugePage = 2UL << 20;
constexpr std::size_t kPooled =
    1UL << 16;  // smaller ones are the allocator's business; also the unit of the pool

// From the system and back to it: the allocator keeps freed memory of this size for itself. If the system agrees it
// ends at `end`, so that it can serve together with what is there.
char* map_memory(std::size_t bytes, char* end) {
  const auto map = [](char* wanted, std::size_t size) {
    void* const start =
        mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    return static_cast<char*>(start);
  };
  char* start = map(end ? end - bytes : nullptr, bytes);
  if (start + bytes != end) {
    munmap(start, bytes);
    start = map(nullptr, bytes + kHugePage);
    const std::size_t after = reinterpret_cast<std::uintptr_t>(start + bytes) % kHugePage;
    if (after > 0) munmap(start + bytes + kHugePage - after, after);
    if (after < kHugePage) munmap(start, kHugePage - after);
    start += kHugePage - after;
  }
  madvise(start, bytes, MADV_HUGEPAGE);  // advice: nothing depends on it
  return start;
}

// Idle memory serves again, but never so that memory in use and idle memory together hold an eighth more than was in use
// at some time. Neighbouring pieces become one.
class Pool {
 public:
  float* take(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    char* const memory = find(bytes);
    used_.emplace(memory, bytes);
    used_bytes_ += bytes;
    most_used_ = std::max(most_used_, used_bytes_);
    return reinterpret_cast<float*>(memory);
  }

  // False if it is none of ours.
  bool give(float* memory) {
    const std::scoped_lock lock(mutex_);
    const auto used = used_.find(reinterpret_cast<char*>(memory));
    if (used == used_.end()) return false;
    const auto [start, bytes] = *used;
    used_.erase(used);
    used_bytes_ -= bytes;
    idle_bytes_ += bytes;
    auto piece = idle_.emplace(start, bytes).first;
    const auto next = std::next(piece);
    if (next != idle_.end() && start + bytes == next->first) {
      piece->second += next->second;
      idle_.erase(next);
    }
    if (piece == idle_.begin()) return true;
    const auto before = std::prev(piece);
    if (before->first + before->second == start) {
      before->second += piece->second;
      idle_.erase(piece);
    }
    return true;
  }

 private:
  char* find(std::size_t bytes) {
    auto best = idle_.end();
    for (auto idle = idle_.begin(); idle != idle_.end(); ++idle)
      if (idle->second >= bytes && (best == idle_.end() || idle->second < best->second))
        best = idle;
    if (best == idle_.end()) {
      const std::size_t most = std::max(most_used_, used_bytes_ + bytes);
      drop_until(most + most / 8 - used_bytes_ - bytes);
      return lowest_ = map_memory(bytes, lowest_);
    }
    best->second -= bytes;
    idle_bytes_ -= bytes;
    char* const memory = best->first + best->second;
    if (best->second == 0) idle_.erase(best);
    return memory;
  }

  void drop_until(std::size_t most) {
    while (idle_bytes_ > most) {  // small pieces first: they serve least
      auto least = idle_.begin();
      for (auto idle = idle_.begin(); idle != idle_.end(); ++idle)
        if (idle->second < least->second) least = idle;
      idle_bytes_ -= least->second;
      munmap(least->first, least->second);
      idle_.erase(least);
    }
  }

  std::mutex mutex_;
  std::map<char*, std::size_t> idle_;  // address, bytes
  std::unordered_map<char*, std::size_t> used_;
  char* lowest_ = nullptr;  // where the newest memory starts
  std::size_t idle_bytes_ = 0, used_bytes_ = 0, most_used_ = 0;
};

Pool& pool() {
  static Pool* const instance = new Pool;  // never destroyed: buffers may outlive other statics
  return *instance;
}

}  // namespace

void FreeBuffer::operator()(float* memory) const {
  if (!pool().give(memory)) std::free(memory);
}

Buffer make_buffer(std::int64_t floats) {
  const std::size_t wanted = static_cast<std::size_t>(floats) * sizeof(float);
  const std::size_t unit = wanted >= kPooled ? kPooled : kLine;
  const std::size_t bytes = (wanted + unit - 1) / unit * unit;
  if (bytes >= kPooled) return Buffer(pool().take(bytes));
  void* const memory = std::aligned_alloc(unit, bytes);
  if (!memory) throw std::bad_alloc();
  return Buffer(static_cast<float*>(memory));
}

}  // namespace aladdin::kernels
