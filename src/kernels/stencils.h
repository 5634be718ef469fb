// Slabs of a stencil that reaches one line to either side: even slabs first, then odd ones, so that
// slabs that run at once never touch the same line and the order of additions is fixed.
#pragma once

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/slabs.h"

namespace aladdin::kernels {

// body(field, begin, end, task) for outer lines [begin, end): planes in 3-D, rows in 2-D. `fields`
// fields are independent of each other; tasks are numbered from 0 to fields * slabs - 1.
class StencilSlabs {
 public:
  explicit StencilSlabs(const Shape& s)
      : slabs_(s.d > 1 ? s.d : s.h, s.voxels() / (s.d > 1 ? s.d : s.h), kVoxels, kFewestLines) {}

  std::int64_t count() const { return slabs_.count(); }

  template <class Body>
  void run(std::int64_t fields, Body&& body) const {
    for (const std::int64_t colour : {0, 1}) {
      const std::int64_t each = (slabs_.count() + 1 - colour) / 2;
      parallel_for(fields * each, [&](std::int64_t task) {
        const std::int64_t field = task / each, slab = 2 * (task % each) + colour;
        body(field, slabs_.begin(slab), slabs_.end(slab), field * slabs_.count() + slab);
      });
    }
  }

 private:
  static constexpr std::int64_t kVoxels = 65536, kFewestLines = 3;
  Slabs slabs_;
};

}  // namespace aladdin::kernels
