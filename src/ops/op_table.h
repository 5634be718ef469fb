// The op table: every operator with inputs for it, ours and in plain Torch. One list drives the
// tests (fast against reference against plain, finite differences, thread counts) and the
// benchmark.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

struct Op {
  using Inputs = std::vector<at::Tensor>;

  std::string name;
  // Inputs on a grid, as doubles; positions stay away from whole voxels, where linear interpolation
  // has no derivative.
  std::function<Inputs(const kernels::Shape& shape, std::uint64_t seed)> make_inputs;
  std::function<at::Tensor(const Inputs&)> ours;
  std::function<at::Tensor(const Inputs&)> plain;
};

const std::vector<Op>& op_table();

}  // namespace aladdin::ops
