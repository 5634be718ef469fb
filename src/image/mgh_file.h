// Inside this folder only: FreeSurfer's volumes (.mgz, .mgh, .mgh.gz). A header of 284 bytes, big-endian, in front of the
// voxels, index 0 fastest, frame after frame; what FreeSurfer keeps behind them is not read.
//
//   0 version (1)   4 size, 3 numbers   16 frames   20 type   28 whether the geometry that follows counts (2 bytes)
//   30 spacing, 3 floats   42 unit axes in RAS, 9 floats   78 the RAS mm of the index size / 2, 3 floats
//
// Without a geometry the axes are L, I and A, as FreeSurfer has it.
#pragma once

#include <optional>

#include "aladdin/image/gzip_reader.h"
#include "aladdin/image/raw_image.h"

namespace aladdin {

bool is_mgh_name(const Path& path);

VolumesHeader read_mgh_header(const Path& path);
// One volume, or all of them one after the other.
RawImage read_mgh(const Path& path, std::optional<std::int64_t> volume);

// `values` of one volume: uint8, int16, int32 or float32. The file at `beside` becomes `path`.
void write_mgh(const Path& path, const Path& beside, const Grid& grid, Scalar type,
               const std::byte* values);

}  // namespace aladdin
