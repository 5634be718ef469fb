#include "aladdin/kernels/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>

namespace aladdin::kernels {
namespace {

constexpr std::size_t kLine = 64, kHugePage = 2UL << 20;
constexpr std::size_t kPooled = kHugePage / 2;  // smaller ones are the allocator's business
constexpr std::size_t kMostIdle = 1UL << 30;    // of idle memory kept

// From the system and back to it: the allocator keeps freed memory of this size for itself.
float* map_memory(std::size_t bytes) {
  const std::size_t more = bytes + kHugePage;
  void* const start =
      mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  char* const first = static_cast<char*>(start);
  const std::size_t before =
      (kHugePage - reinterpret_cast<std::uintptr_t>(first) % kHugePage) % kHugePage;
  if (before > 0) munmap(first, before);
  if (before < kHugePage) munmap(first + before + bytes, kHugePage - before);
  madvise(first + before, bytes, MADV_HUGEPAGE);  // advice: nothing depends on it
  return reinterpret_cast<float*>(first + before);
}

// Idle buffers serve again, but never so that buffers in use and idle ones together hold more than was in use
// at some time: a pool costs no memory.
class Pool {
 public:
  // At least `bytes`, which becomes what it really is.
  float* take(std::size_t& bytes) {
    const std::scoped_lock lock(mutex_);
    auto best = idle_.end();
    for (auto idle = idle_.begin(); idle != idle_.end(); ++idle)
      if (idle->bytes >= bytes && idle->bytes <= bytes + bytes / 4 &&
          (best == idle_.end() || idle->bytes <= best->bytes))
        best = idle;
    float* memory = nullptr;
    if (best != idle_.end()) {
      memory = best->memory;
      bytes = best->bytes;
      idle_bytes_ -= bytes;
      idle_.erase(best);
    }
    used_ += bytes;
    most_used_ = std::max(most_used_, used_);
    if (memory) return memory;
    drop_until(most_used_ - used_);
    return map_memory(bytes);
  }

  void give(float* memory, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    used_ -= bytes;
    idle_.push_back({memory, bytes});
    idle_bytes_ += bytes;
    drop_until(kMostIdle);
  }

 private:
  struct Idle {
    float* memory;
    std::size_t bytes;
  };

  void drop_until(std::size_t most) {
    while (idle_bytes_ > most) {
      idle_bytes_ -= idle_.front().bytes;
      munmap(idle_.front().memory, idle_.front().bytes);
      idle_.pop_front();
    }
  }

  std::mutex mutex_;
  std::deque<Idle> idle_;  // oldest first
  std::size_t idle_bytes_ = 0, used_ = 0, most_used_ = 0;
};

Pool& pool() {
  static Pool* const instance = new Pool;  // never destroyed: buffers may outlive other statics
  return *instance;
}

}  // namespace

void FreeBuffer::operator()(float* memory) const {
  if (bytes >= kPooled) {
    pool().give(memory, bytes);
  } else {
    std::free(memory);
  }
}

Buffer make_buffer(std::int64_t floats) {
  const std::size_t wanted = static_cast<std::size_t>(floats) * sizeof(float);
  const std::size_t unit = wanted >= kPooled ? kHugePage : kLine;
  std::size_t bytes = (wanted + unit - 1) / unit * unit;
  if (bytes >= kPooled) {
    float* const memory = pool().take(bytes);
    return Buffer(memory, {bytes});
  }
  void* memory = std::aligned_alloc(unit, bytes);
  if (!memory) throw std::bad_alloc();
  return Buffer(static_cast<float*>(memory), {bytes});
}

}  // namespace aladdin::kernels
