// Inside this folder only: X5, the HDF5 format that is drafted for BIDS, as NiTransforms reads and writes it. RAS mm.
//
//   Format = "X5"                                    attribute of the file
//   /TransformGroup/0   Type, SubType, Representation   attributes: linear, affine, matrix; or nonlinear, densefield,
//                                                    displacements or deformations (positions)
//     Transform         4 x 4, or i x j x k x 3
//     Domain/Size, Domain/Mapping                    the grid: indices to RAS mm
//   /TransformChain/0   "0/1/2": the transforms of a chain, the first one applied first
//
// A transform maps points of the reference to the moving image, as here.
#pragma once

#include <optional>

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"

namespace aladdin {

// Its chain, or its only transform. Refused: several chains, surfaces, coefficients of splines, series of affines.
Chain read_x5(const Path& path);
// Affines and fields; `grid`, of the space resampled to, is stored with the affines.
void write_x5(const Path& path, const Chain& chain, const std::optional<Grid>& grid);

}  // namespace aladdin
