// Demons registration by ITK (Vercauteren et al., NeuroImage 2009), with the settings of the paper's
// appendix: everything but sigma and the iterations is ITK's default.
#pragma once

#include <array>
#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin {

enum class DemonsKind {
  fast_symmetric,  // FastSymmetricForcesDemons
  diffeomorphic    // DiffeomorphicDemons
};

struct DemonsOptions {
  DemonsKind kind = DemonsKind::fast_symmetric;
  int iterations = 1000;
  double sigma_vox = 1.2;  // of the Gaussian over the displacement; 0: none
};

// The displacement, planar and in voxels, that pulls `moving` to `fixed`, from `start` on. All are on `grid`, with voxels
// of spacing_mm along its axes; the world has no part in it. The same for any number of threads.
std::vector<float> demons(const DemonsOptions& options, const kernels::Shape& grid,
                          const std::array<double, 3>& spacing_mm, const std::vector<float>& fixed,
                          const std::vector<float>& moving, const std::vector<float>& start);

// `moving` with the histogram of `fixed` (ITK's HistogramMatchingImageFilter), both on `grid`.
std::vector<float> match_histogram(const kernels::Shape& grid, const std::vector<float>& moving,
                                   const std::vector<float>& fixed);

}  // namespace aladdin
