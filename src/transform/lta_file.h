// Inside this folder only: FreeSurfer's linear transforms (.lta), text with one matrix from the source to the destination,
// which is the way that points of the source go, and the geometry of both volumes:
//
//   type = 1            0: of voxel indices, 1: of RAS mm
//   nxforms = 1
//   1 4 4               then four lines of four numbers
//   src volume info     valid, filename, volume, voxelsize, xras, yras, zras, cras (the point of the index volume / 2)
//   dst volume info
//
// The source is the image that is resampled, so the transform as we have it is the inverse of the matrix.
#pragma once

#include "aladdin/core/files.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

// Types 0 and 1; the others are refused by name.
Affine read_lta(const Path& path);

// Type 1.
struct LtaVolume {
  Grid grid;
  std::string name;  // of its file
};
std::string text_of_lta(const Affine& affine, const LtaVolume& source,
                        const LtaVolume& destination);

}  // namespace aladdin
