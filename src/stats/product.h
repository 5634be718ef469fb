// Many small linear models at once: rows (voxels x subjects) times weights (subjects x columns), in float.
//
// By hand, since Eigen has no run-time dispatch and one binary must run on any x86-64: the compiler makes a version for
// AVX-512, AVX2 and plain x86-64 of it each. A row's result does not depend on the rows beside it.
#pragma once

#include <cstdint>

namespace aladdin::stats {

constexpr std::int64_t kColumns = 16;  // of a panel of weights

// out[row * kColumns + c] = sum over s of rows[row * subjects + s] * weights[s * kColumns + c]
void multiply_panel(const float* rows, std::int64_t count, std::int64_t subjects,
                    const float* weights, float* out);

}  // namespace aladdin::stats
