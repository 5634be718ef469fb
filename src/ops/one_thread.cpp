// Torch's own operations run on one thread as soon as this library is loaded: on several, Torch cuts a sum by their
// number, and leaves other voxels to the end of a vector loop, where functions such as pow round differently. So bits
// would depend on the number of threads. What takes time runs in our kernels, on all of them (core/parallel.h).
#include <ATen/Parallel.h>

namespace aladdin::ops {
namespace {

const bool one_thread = [] {
  at::set_num_threads(1);
  return true;
}();

}  // namespace
}  // namespace aladdin::ops
