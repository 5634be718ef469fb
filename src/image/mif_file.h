// Inside this folder only: images of MRtrix3 in one file (.mif, .mif.gz), three or four axes: a header of "key: value"
// lines and the voxels in any order of axes.
//
//   mrtrix image
//   dim: 5,4,3,3
//   vox: 0.8,1.3,2.5,1
//   layout: +0,+1,+2,+3      for each axis the rank of its stride, and whether it runs backwards
//   datatype: Float32LE
//   transform: 1,0,0,-5      three lines: the unit axes and the first voxel, RAS mm
//   scaling: 0,1             offset and scale, if any
//   file: . 256              at which byte of this file the voxels begin
//   END
#pragma once

#include <optional>
#include <vector>

#include "aladdin/image/raw_image.h"

namespace aladdin {

bool is_mif_name(const Path& path);

VolumesHeader read_mif_header(const Path& path);
// One volume, or all of them one after the other, index 0 fastest.
RawImage read_mif(const Path& path, std::optional<std::int64_t> volume);

// So many volumes of floats. The file at `beside` becomes `path`.
void write_mif(const Path& path, const Path& beside, const Grid& grid, const float* values,
               std::int64_t volumes);

}  // namespace aladdin
