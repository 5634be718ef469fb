// Inside this folder only: an affine as a plain matrix, four lines of four numbers (or three; the last is 0 0 0 1).
// Greedy, c3d, NiftyReg and MRtrix3 mean a map of RAS mm by it, from the space resampled to into the space resampled from,
// as every transform here; FSL means scaled voxels (fsl_file.h). Nothing in the file says which.
#pragma once

#include <optional>
#include <string>

#include "aladdin/core/files.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

// The numbers as they stand; lines that are empty or begin with # (MRtrix3's) do not count. Nothing where the text is no
// such matrix.
std::optional<Affine> parse_matrix(const std::string& text);
// The same, and what is wrong with it where it is none.
Affine read_matrix(const Path& path);
std::string text_of_matrix(const Affine& affine);

// A map of RAS mm as the same map of LPS mm, and back.
Affine flip_ras(const Affine& affine);

}  // namespace aladdin
