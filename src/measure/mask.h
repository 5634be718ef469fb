// The part of the atlas that is analysed: 1 inside, 0 outside, in the order of the atlas's voxels.
#pragma once

#include <cstdint>
#include <vector>

#include "aladdin/evaluate/source.h"
#include "aladdin/image/image.h"

namespace aladdin::measure {

// Every labelled voxel if the atlas has labels, else its foreground. Throws if that is empty, or if the
// source names neither labels nor an image of the atlas.
std::vector<std::uint8_t> atlas_mask(const evaluate::Source& source);

// Where labels are not 0.
std::vector<std::uint8_t> labelled(const Labels& labels);

// Where an image is brighter than Otsu's threshold (256 classes between its smallest and its largest
// value; beyond the 0.1 and 99.9 percentiles values count as these): of that the largest connected part,
// by faces, with its holes filled. Throws on a constant image, naming `name`.
std::vector<std::uint8_t> foreground(const Image& image, const std::string& name);

// Where the file, whole numbers on the atlas grid, is not 0. Throws on another grid and if that is empty.
std::vector<std::uint8_t> read_mask(const Path& path, const Grid& atlas);

// On the atlas grid of the source; nothing where `path` is empty.
std::vector<std::uint8_t> read_mask(const Path& path, const evaluate::Source& source);

}  // namespace aladdin::measure
