// The rigid, similarity or affine map between two images, of any grids, by the minimum of
//
//   E(T) = 1/2 L(m o T, f) + 1/2 L(f o T^-1, m)          linear_term.h
//
// which does not care which of the two is called fixed. From coarse to fine, on every grid by BFGS on the group,
// T <- T o exp(D), started with Gauss and Newton's second derivative. It starts from the pose that the headers say, from
// that in which the centres of both contents meet, and from the latter turned by up to 40 degrees about all axes.
#pragma once

#include <optional>
#include <string>

#include "aladdin/pair/linear_term.h"

namespace aladdin {

enum class LinearKind { rigid, similarity, affine };
inline constexpr Named<LinearKind> kLinearKinds[] = {{LinearKind::rigid, "rigid"},
                                                     {LinearKind::similarity, "similarity"},
                                                     {LinearKind::affine, "affine"}};
constexpr std::span<const Named<LinearKind>> table_of(LinearKind) { return kLinearKinds; }

struct LinearOptions {
  LinearKind kind = LinearKind::affine;
  SimilarityKind similarity = SimilarityKind::ncc;  // mse, ncc or mi
  int bins = 32;                                    // mi
  // Where to start from, alone; none: from several poses.
  std::optional<Affine> start{};
};

struct LinearResult {
  Affine map;  // points of the fixed image to points of the moving one
  double energy = 0;
};

// Throws unless both have the same dimensions and something in common to compare.
LinearResult register_linear(const MaskedImage& fixed, const MaskedImage& moving,
                             const LinearOptions& options = {});

// The image on a grid with the same axes whose voxels are no smaller than `spacing_mm` along each of them; smoothed where
// that is coarser (image/resample.h): the mean of what counts, and counting where at least half of it does.
MaskedImage coarsened(const MaskedImage& image, double spacing_mm);

}  // namespace aladdin
