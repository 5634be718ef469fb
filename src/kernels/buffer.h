// Working memory of the kernels. It is not cleared when it is made; large buffers are of huge pages and
// go back to a pool, because page faults cost a large kernel a third of its time.
#pragma once

#include <cstdint>
#include <memory>

namespace aladdin::kernels {

struct FreeBuffer {
  void operator()(float* memory) const;
};
using Buffer = std::unique_ptr<float[], FreeBuffer>;

Buffer make_buffer(std::int64_t floats);

}  // namespace aladdin::kernels
