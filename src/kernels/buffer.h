// Working memory of the kernels. Not cleared when it is made; large buffers are of huge pages and go back
// to a pool, since a third of the time of a large kernel went into page faults otherwise.
#pragma once

#include <cstdint>
#include <memory>

namespace aladdin::kernels {

struct FreeBuffer {
  std::size_t bytes = 0;
  void operator()(float* memory) const;
};
using Buffer = std::unique_ptr<float[], FreeBuffer>;

Buffer make_buffer(std::int64_t floats);

// Gives the pool's memory back to the system.
void release_buffers();

}  // namespace aladdin::kernels
