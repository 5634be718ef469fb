// Large tensors on a CPU lie in the kernels' pool (kernels/buffer.h) for every operation, Torch's own too: Torch gives
// its memory back after every use, and to get it again costs more than many an operation. It is so as soon as this
// library is loaded.
#include <c10/core/CPUAllocator.h>

#include <cstring>

#include "aladdin/kernels/buffer.h"

namespace aladdin::ops {
namespace {

// Torch 2.3 has an allocate() that is not const, and asks for copy_data(): both are written without 'override', so that each
// version finds its own.
class PooledMemory final : public at::Allocator {
 public:
  at::DataPtr allocate(std::size_t bytes) const { return pooled(bytes); }  // NOLINT
  at::DataPtr allocate(std::size_t bytes) { return pooled(bytes); }        // NOLINT
  void copy_data(void* to, const void* from, std::size_t bytes) const {    // NOLINT
    std::memcpy(to, from, bytes);
  }
  at::DeleterFnPtr raw_deleter() const override { return &give_back; }

 private:
  static at::DataPtr pooled(std::size_t bytes) {
    const at::Device cpu(at::DeviceType::CPU);
    if (bytes == 0) return {nullptr, nullptr, &give_back, cpu};
    const auto floats =
        static_cast<std::int64_t>(bytes / sizeof(float) + (bytes % sizeof(float) > 0));
    float* const memory = kernels::make_buffer(floats).release();
    return {memory, memory, &give_back, cpu};
  }
  static void give_back(void* memory) { kernels::FreeBuffer{}(static_cast<float*>(memory)); }
};

const bool pooled = [] {
  static auto* const memory =
      new PooledMemory;             // never destroyed: tensors may outlive other statics
  c10::SetCPUAllocator(memory, 1);  // over Torch's own, which has 0
  return true;
}();

}  // namespace
}  // namespace aladdin::ops
