// How the fast kernels are cut into tasks: by shape alone, never by the number of threads, so that
// every sum is added in the same order on any machine.
#pragma once

#include <cstdint>
#include <vector>

#include "aladdin/kernels/buffer.h"
#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

constexpr std::int64_t kPullVoxels =
    16384;  // voxels a task: enough to hide the cost of handing it out

// Contiguous ranges [begin(i), end(i)) of `lines`, about `voxels_each` voxels a range.
class Slabs {
 public:
  Slabs(std::int64_t lines, std::int64_t voxels_per_line, std::int64_t voxels_each,
        std::int64_t fewest_lines = 1);
  // Slabs of rows for SplatBuffers: larger, since each slab adds into its own margin, but enough of them for a few
  // cores.
  static Slabs for_splats(const Shape& s);

  std::int64_t count() const { return count_; }
  std::int64_t begin(std::int64_t slab) const { return lines_ * slab / count_; }
  std::int64_t end(std::int64_t slab) const { return lines_ * (slab + 1) / count_; }

 private:
  std::int64_t lines_, count_;
};

// Where slabs add into rows that other slabs add into as well: each slab adds into rows of its own,
// and these are summed row by row in the order of the slabs. No atomics, the same bits always.
class SplatBuffers {
 public:
  // A row has row_floats floats in each of `planes` planes.
  SplatBuffers(std::int64_t slabs, std::int64_t row_floats, std::int64_t planes)
      : row_floats_(row_floats), planes_(planes), parts_(slabs) {}

  // Cleared rows [lowest, highest] for one slab to add into; call it from the slab's own task.
  float* open(std::int64_t slab, std::int64_t lowest, std::int64_t highest);
  std::int64_t rows(std::int64_t slab) const { return parts_[slab].rows; }
  // out += the sums, for rows [begin, end) of plane `plane`; out is the plane's first row.
  void add_to(float* out, std::int64_t plane, std::int64_t begin, std::int64_t end) const;

 private:
  struct Part {
    std::int64_t first = 0, rows = 0;
    Buffer values;
  };
  std::int64_t row_floats_, planes_;
  std::vector<Part> parts_;
};

}  // namespace aladdin::kernels
