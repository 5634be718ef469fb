// Working memory of the kernels, aligned to 64 bytes and not cleared when it is made. Large buffers are of huge pages and
// go back to a pool, because page faults cost a large kernel a third of its time. From any thread.
#pragma once

#include <cstdint>
#include <memory>

namespace aladdin::kernels {

struct FreeBuffer {
  void operator()(float* memory) const;
};
using Buffer = std::unique_ptr<float[], FreeBuffer>;

// Throws std::bad_alloc.
Buffer make_buffer(std::int64_t floats);

}  // namespace aladdin::kernels
