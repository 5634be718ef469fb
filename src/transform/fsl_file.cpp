#include "aladdin/transform/fsl_file.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/matrix_text.h"
#include "aladdin/transform/voxel_points.h"

namespace aladdin {
namespace {

void require_3d(const Grid& grid, const std::string& what) {
  if (grid.dims != 3) fail("{} is {}-D, FSL's transforms are 3-D", what, grid.dims);
}

Grid grid_of(const std::optional<Path>& image, const char* which, const TransformFile& file) {
  if (!image)
    throw Error(fmt::format("'{}' is a transform of FSL, which means the voxels of two images: the "
                            "{} is missing",
                            file.path.string(), which))
        .hint(fmt::format("name it: '{},{}=IMAGE'", file.path.string(),
                          which == std::string("source") ? "src" : "ref"));
  const Grid grid = read_header(*image).grid;
  require_3d(grid, "'" + image->string() + "'");
  return grid;
}

// The linear part of what the volumes hold as a function of FSL's points of the voxels, by least squares.
Mat3 linear_part(const std::vector<Image>& volumes, const Affine& to_fsl) {
  const Grid& grid = volumes[0].grid;
  const Vec3 middle = to_fsl(grid.centre());
  Mat3 products{}, squares{};
  for_each_voxel_point(grid, [&](std::int64_t v, const Vec3& point) {
    const Vec3 from_middle = to_fsl(point) - middle;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) {
        products[row][column] +=
            volumes[static_cast<std::size_t>(row)].values[static_cast<std::size_t>(v)] *
            from_middle[column];
        squares[row][column] += from_middle[row] * from_middle[column];
      }
  });
  // Of an axis of one voxel nothing is known.
  for (int axis = 0; axis < 3; ++axis)
    if (grid.size[axis] == 1) squares[axis][axis] = 1;
  return products * inverse(squares);
}

double distance_from_rotation(const Mat3& m) {
  const Mat3 product = transpose(m) * m;
  double sum = 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      sum += std::pow(product[row][column] - kIdentity3[row][column], 2);
  return sum;
}

// Whether the volumes hold positions in the source rather than differences.
bool holds_positions(const std::vector<Image>& volumes, const Affine& to_fsl) {
  const Mat3 stored = linear_part(volumes, to_fsl);
  Mat3 with_own = stored;
  for (int axis = 0; axis < 3; ++axis) with_own[axis][axis] += 1;
  return distance_from_rotation(stored) < distance_from_rotation(with_own);
}

Displacement convert(const TransformFile& file, const Grid& source) {
  const std::vector<Image> volumes = read_volumes(file.path);
  const Grid& grid = volumes[0].grid;
  const Affine from_source = inverse(fsl_of(source)), to_fsl = fsl_of(grid);
  const bool positions = holds_positions(volumes, to_fsl);
  Displacement field(grid);
  for_each_voxel_point(grid, [&](std::int64_t v, const Vec3& point) {
    Vec3 there{volumes[0].values[v], volumes[1].values[v], volumes[2].values[v]};
    if (!positions) there = to_fsl(point) + there;
    const Vec3 u = from_source(there) - point;
    for (int c = 0; c < 3; ++c) field.vectors.component(c)[v] = static_cast<float>(u[c]);
  });
  return field;
}

}  // namespace

Affine fsl_of(const Grid& grid) {
  Affine scale{diagonal(grid.spacing), {0, 0, 0}};
  // LPS and RAS have the same handedness.
  if (determinant(grid.direction) > 0) {
    scale.matrix[0][0] *= -1;
    scale.offset[0] = grid.spacing[0] * static_cast<double>(grid.size[0] - 1);
  }
  return compose(scale, to_indices(grid));
}

Affine read_flirt(const TransformFile& file) {
  const Affine matrix = read_matrix(file.path);
  const Affine source = fsl_of(grid_of(file.source, "source", file)),
               reference = fsl_of(grid_of(file.reference, "reference", file));
  try {
    return compose(inverse(source), compose(inverse(matrix), reference));
  } catch (Error& error) {
    throw error.within(fmt::format("'{}' has no inverse", file.path.string()));
  }
}

Displacement read_fnirt(const TransformFile& file) {
  const auto header = read_volumes_header(file.path);
  if (header && header->each.vectors == VectorKind::fsl_coefficients)
    throw Error(fmt::format("'{}' is a {}, expected one displacement per voxel", file.path.string(),
                            name_of(header->each.vectors)))
        .hint("turn it into a field with FSL's 'fnirtfileutils -i COEF -r REF -o FIELD'");
  if (!header || header->count != 3)
    fail("'{}' is not a field of FNIRT: expected a 4-D NIfTI of three volumes", file.path.string());
  require_3d(header->each.grid, "'" + file.path.string() + "'");
  const Grid source = grid_of(file.source, "source", file);
  try {
    return convert(file, source);
  } catch (Error& error) {
    if (std::string(error.what()).find(file.path.string()) != std::string::npos) throw;
    throw error.within(fmt::format("'{}' has an unusable geometry", file.path.string()));
  }
}

std::string text_of_flirt(const Affine& affine, const Grid& source, const Grid& reference) {
  require_3d(source, "the source image");
  require_3d(reference, "the reference image");
  return text_of_matrix(
      compose(fsl_of(reference), compose(inverse(affine), inverse(fsl_of(source)))));
}

void write_fnirt(const Path& path, const Displacement& displacement, const Grid& source) {
  const Grid& grid = displacement.grid();
  require_3d(grid, fmt::format("the transform for '{}'", path.string()));
  require_3d(source, "the source image");
  const Affine to_source = fsl_of(source), to_fsl = fsl_of(grid);
  VectorImage stored(grid);
  for_each_voxel_point(grid, [&](std::int64_t v, const Vec3& point) {
    Vec3 there = point;
    for (int c = 0; c < 3; ++c) there[c] += displacement.vectors.component(c)[v];
    const Vec3 difference = to_source(there) - to_fsl(point);
    for (int c = 0; c < 3; ++c) stored.component(c)[v] = static_cast<float>(difference[c]);
  });
  write_vectors(path, stored, VectorKind::fsl_displacements);
}

}  // namespace aladdin
