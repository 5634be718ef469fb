#include "aladdin/kernels/buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>

namespace aladdin::kernels {
namespace {

constexpr std::size_t kLine = 64, kHugePage = 2UL << 20;
constexpr std::size_t kPooled = kHugePage / 2;  // smaller ones are the allocator's business
constexpr std::size_t kMostIdle = 1UL << 30;    // of idle memory kept

class Pool {
 public:
  // The smallest idle buffer of at least `bytes` and at most twice as much, or null.
  float* take(std::size_t bytes, std::size_t& actual) {
    const std::scoped_lock lock(mutex_);
    auto best = idle_.end();
    for (auto idle = idle_.begin(); idle != idle_.end(); ++idle)
      if (idle->bytes >= bytes && idle->bytes <= 2 * bytes &&
          (best == idle_.end() || idle->bytes <= best->bytes))
        best = idle;
    if (best == idle_.end()) return nullptr;
    float* const memory = best->memory;
    actual = best->bytes;
    total_ -= best->bytes;
    idle_.erase(best);
    return memory;
  }

  void give(float* memory, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back({memory, bytes});
    total_ += bytes;
    while (total_ > kMostIdle) {
      total_ -= idle_.front().bytes;
      std::free(idle_.front().memory);
      idle_.pop_front();
    }
  }

 private:
  struct Idle {
    float* memory;
    std::size_t bytes;
  };

  std::mutex mutex_;
  std::deque<Idle> idle_;  // oldest first
  std::size_t total_ = 0;
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
  if (bytes >= kPooled)
    if (float* idle = pool().take(bytes, bytes)) return Buffer(idle, {bytes});
  void* memory = std::aligned_alloc(unit, bytes);
  if (!memory) throw std::bad_alloc();
  if (bytes >= kPooled) madvise(memory, bytes, MADV_HUGEPAGE);  // advice: nothing depends on it
  return Buffer(static_cast<float*>(memory), {bytes});
}

}  // namespace aladdin::kernels
