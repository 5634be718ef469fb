#include "aladdin/transform/x5_file.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/itk_hdf5_parts.h"
#include "aladdin/transform/matrix_text.h"
#include "aladdin/transform/x5_vectors.h"

namespace aladdin {
namespace {

constexpr const char* kLinear = "linear";
constexpr const char* kDisplacements = "displacements";
constexpr const char* kPositions = "deformations";

[[noreturn]] void refuse(const Path& path, const std::string& what) {
  throw Error(fmt::format("'{}' holds {}, which is not supported", path.string(), what))
      .hint("expected one chain of affines and displacement fields on voxels");
}

// In the child. What the file says of one transform: `type` is one of the three above, `fixed` is size and mapping.
StoredTransform read_one(const Hdf5Parts& parts, hid_t one) {
  StoredTransform stored;
  const std::string type = parts.attribute(one, "Type");
  const std::string as = parts.attribute(one, "Representation");
  const Hdf5Numbers transform = parts.numbers(parts.open(one, "Transform", H5I_DATASET));
  stored.parameters = transform.values;
  if (type == kLinear) {
    if (transform.size != std::vector<std::uint64_t>{4, 4})
      refuse(parts.path(), "a series of affines");
    stored.type = kLinear;
    return stored;
  }
  if (type != "nonlinear" || (as != kDisplacements && as != kPositions))
    refuse(parts.path(),
           fmt::format("a transform of the type '{}' {}", one_line(type), one_line(as)));
  stored.type = as;
  const hid_t domain = parts.open(one, "Domain", H5I_GROUP);
  if (parts.numbers(parts.open(domain, "Grid", H5I_DATASET)).values != std::vector<double>{1})
    refuse(parts.path(), "a transform of a surface");
  stored.fixed = parts.numbers(parts.open(domain, "Size", H5I_DATASET)).values;
  const Hdf5Numbers mapping = parts.numbers(parts.open(domain, "Mapping", H5I_DATASET));
  std::vector<std::uint64_t> expected;
  for (const double n : stored.fixed)
    expected.push_back(n >= 1 ? static_cast<std::uint64_t>(n) : 0);
  expected.push_back(3);
  if (expected.size() != 4 || transform.size != expected ||
      mapping.size != std::vector<std::uint64_t>{4, 4})
    throw damaged_hdf5(parts.path());
  stored.fixed.insert(stored.fixed.end(), mapping.values.begin(), mapping.values.end());
  return stored;
}

std::vector<StoredTransform> read_parts(const Hdf5Parts& parts) {
  if (parts.attribute(parts.file(), "Format") != "X5")
    throw not_a_transform(parts.path(), "its format is not X5");
  const hid_t group = parts.open(parts.file(), "TransformGroup", H5I_GROUP);
  std::vector<std::string> names;
  if (parts.has(parts.file(), "TransformChain")) {
    const hid_t chains = parts.open(parts.file(), "TransformChain", H5I_GROUP);
    if (parts.count(chains) != 1) refuse(parts.path(), counted(parts.count(chains), "chain"));
    names = split(parts.text(parts.open(chains, "0", H5I_DATASET)), '/');
  } else if (parts.count(group) == 1) {
    names = {"0"};
  } else {
    refuse(parts.path(),
           fmt::format("{} and no chain of them", counted(parts.count(group), "transform")));
  }
  std::vector<StoredTransform> all;
  for (const std::string& name : names)
    all.push_back(read_one(parts, parts.open(group, name.c_str(), H5I_GROUP)));
  return all;
}

// Rows of a 4 x 4 matrix of RAS; LPS has the signs of two rows, and for points that it takes of two columns, turned.
Affine affine_of(const double* rows, const Path& path) {
  Affine affine;
  for (int row = 0; row < 3; ++row) {
    affine.offset[row] = rows[4 * row + 3];
    for (int column = 0; column < 3; ++column) affine.matrix[row][column] = rows[4 * row + column];
  }
  for (int i = 0; i < 16; ++i)
    if (!std::isfinite(rows[i]) || (i >= 12 && rows[i] != (i == 15 ? 1 : 0)))
      fail("the matrix in '{}' is not that of an affine", path.string());
  return affine;
}

Grid grid_of(const StoredTransform& stored, const Path& path) {
  const Affine to_ras = affine_of(stored.fixed.data() + 3, path);
  Grid grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.size[axis] = static_cast<std::int64_t>(stored.fixed[axis]);
    grid.origin[axis] = ras(axis, to_ras.offset[axis]);
    Vec3 step;
    for (int row = 0; row < 3; ++row) step[row] = ras(row, to_ras.matrix[row][axis]);
    grid.spacing[axis] = norm(step);
    for (int row = 0; row < 3; ++row) grid.direction[row][axis] = step[row] / norm(step);
  }
  return usable_grid(grid, path);
}

// The child may have been taken over: what is counted on here is counted here.
bool has_its_vectors(const StoredTransform& stored) {
  if (stored.fixed.size() != 3 + 16) return false;
  double numbers = 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double n = stored.fixed[axis];
    if (!(n >= 1) || n != std::floor(n)) return false;
    numbers *= n;
  }
  return numbers == static_cast<double>(stored.parameters.size());
}

Displacement field_of(const StoredTransform& stored, const Path& path) {
  Displacement field(grid_of(stored, path));
  const bool positions = stored.type == kPositions;
  bool finite = true;
  for_each_vector(field.grid(), [&](std::int64_t v, std::size_t at, const Vec3& point) {
    for (int c = 0; c < 3; ++c) {
      const double value = ras(c, stored.parameters[at + static_cast<std::size_t>(c)]);
      const auto moved = static_cast<float>(positions ? value - point[c] : value);
      finite = finite && std::isfinite(moved);
      field.vectors.component(c)[v] = moved;
    }
  });
  if (!finite)
    fail("the displacement field in '{}' has vectors that are not finite", path.string());
  return field;
}

}  // namespace

Chain read_x5(const Path& path) {
  Chain chain;
  for (const StoredTransform& stored : read_hdf5_apart(path, read_parts)) {
    const bool linear = stored.type == kLinear;
    if (linear ? stored.parameters.size() != 16 : !has_its_vectors(stored))
      throw damaged_hdf5(path);
    if (linear)
      chain.emplace_back(flip_ras(affine_of(stored.parameters.data(), path)));
    else
      chain.emplace_back(field_of(stored, path));
  }
  if (chain.empty()) throw damaged_hdf5(path);
  return chain;
}

}  // namespace aladdin
