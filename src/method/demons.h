// Demons registration by ITK (Vercauteren et al., NeuroImage 2009), with the settings of the paper's
// appendix: everything but sigma and the iterations is ITK's default.
#pragma once

#include <ATen/ATen.h>

#include <array>

#include "aladdin/config/config.h"

namespace aladdin {

enum class DemonsKind {
  fast_symmetric,  // FastSymmetricForcesDemons, for joshi
  diffeomorphic    // DiffeomorphicDemons, for absorb
};

// The displacement (1, dims, …) in voxels that pulls `moving` to `fixed`, (1, 1, …) each, from `start`
// on. The same for any number of threads.
at::Tensor demons(DemonsKind kind, const DemonsConfig& config,
                  const std::array<double, 3>& spacing_mm, const at::Tensor& fixed,
                  const at::Tensor& moving, const at::Tensor& start);

// `moving` with the histogram of `fixed` (ITK's HistogramMatchingImageFilter).
at::Tensor match_histogram(const at::Tensor& moving, const at::Tensor& fixed);

}  // namespace aladdin
