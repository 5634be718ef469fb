#include "aladdin/kernels/fast/table.h"

#include "aladdin/kernels/fast/rows.h"

#define ALADDIN_NAME_OF(level) #level
#define ALADDIN_NAME(level) ALADDIN_NAME_OF(level)

namespace aladdin::kernels::ALADDIN_SIMD {

extern const FastTable table;
const FastTable table{ALADDIN_NAME(ALADDIN_SIMD),
                      pack,
                      reach,
                      compose,
                      compose_backward,
                      warp,
                      warp_backward,
                      reach_planar,
                      squared_difference,
                      sums,
                      moments,
                      combine,
                      activation_backward,
                      lncc,
                      lncc_gradient,
                      bending,
                      jacobian,
                      jacobian_backward,
                      winograd_lanes,
                      winograd_inputs,
                      winograd_product,
                      winograd_outputs,
                      winograd_gradients,
                      winograd_outer,
                      winograd_weight,
                      winograd_weight_back};

}  // namespace aladdin::kernels::ALADDIN_SIMD
