#include "aladdin/transform/mrtrix_file.h"

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/voxel_points.h"

namespace aladdin {
namespace {

double ras(int axis, double value) { return axis < 2 ? -value : value; }

void require_3d(const Grid& grid, const Path& path) {
  if (grid.dims != 3)
    fail("a deformation field of MRtrix3 is 3-D, that of '{}' is {}-D", path.string(), grid.dims);
}

}  // namespace

bool is_mrtrix_name(const Path& path) {
  const std::string extension = full_extension(path);
  return extension == ".mif" || extension == ".mif.gz";
}

Displacement read_mrtrix_deformation(const Path& path) {
  const auto header = read_volumes_header(path);
  if (!header || header->count != 3)
    throw Error(fmt::format("'{}' is not a deformation field of MRtrix3: expected three volumes",
                            path.string()))
        .hint("of a full warp, 'warpconvert IN warpfull2deformation OUT.mif' makes one");
  require_3d(header->each.grid, path);
  const std::vector<Image> volumes = read_volumes(path);
  Displacement field(volumes[0].grid);
  for_each_voxel_point(field.grid(), [&](std::int64_t v, const Vec3& point) {
    for (int c = 0; c < 3; ++c)
      field.vectors.component(c)[v] =
          static_cast<float>(ras(c, volumes[static_cast<std::size_t>(c)].values[v]) - point[c]);
  });
  return field;
}

void write_mrtrix_deformation(const Path& path, const Displacement& displacement) {
  const Grid& grid = displacement.grid();
  require_3d(grid, path);
  VectorImage stored(grid);
  for_each_voxel_point(grid, [&](std::int64_t v, const Vec3& point) {
    for (int c = 0; c < 3; ++c)
      stored.component(c)[v] =
          static_cast<float>(ras(c, point[c] + displacement.vectors.component(c)[v]));
  });
  write_volumes(path, grid, stored.values);
}

}  // namespace aladdin
