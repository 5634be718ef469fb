#include <cmath>

#include "aladdin/image/io.h"
#include "bindings.h"

namespace aladdin::python {
namespace {

using Matrix = py::array_t<double, py::array::c_style | py::array::forcecast>;

Vec3 vector_of(const std::vector<double>& numbers, int dims, double fill) {
  if (static_cast<int>(numbers.size()) != dims)
    throw py::type_error("expected one number for each axis");
  Vec3 out{fill, fill, fill};
  std::copy(numbers.begin(), numbers.end(), out.begin());
  return out;
}

template <class Array>
std::vector<typename Array::value_type> first(const Array& values, int dims) {
  return {values.begin(), values.begin() + dims};
}

Matrix direction_of(const Grid& grid) {
  Matrix out({grid.dims, grid.dims});
  for (int r = 0; r < grid.dims; ++r)
    for (int c = 0; c < grid.dims; ++c) out.mutable_at(r, c) = grid.direction[r][c];
  return out;
}

Grid make_grid(const std::vector<std::int64_t>& size, const std::vector<double>& spacing,
               const std::vector<double>& origin, const py::object& direction) {
  Grid grid;
  grid.dims = static_cast<int>(size.size());
  if (grid.dims != 2 && grid.dims != 3) throw py::type_error("a grid has two or three axes");
  std::copy(size.begin(), size.end(), grid.size.begin());
  grid.spacing = vector_of(spacing, grid.dims, 1);
  grid.origin = vector_of(origin, grid.dims, 0);
  if (!direction.is_none()) {
    const auto matrix = py::cast<Matrix>(direction);
    require_shape(matrix, {grid.dims, grid.dims});
    for (int r = 0; r < grid.dims; ++r)
      for (int c = 0; c < grid.dims; ++c) grid.direction[r][c] = matrix.at(r, c);
  }
  grid.validate();
  return grid;
}

// From voxels to RAS mm, as nibabel has it: LPS with the first two axes turned round. A 2-D grid lies in the plane z = 0.
Matrix affine_of(const Grid& grid) {
  const Mat3 axes = grid.index_to_point();
  Matrix out({4, 4});
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) {
      const double value = r == 3 ? (c == 3 ? 1 : 0) : c == 3 ? grid.origin[r] : axes[r][c];
      out.mutable_at(r, c) = r < 2 && value != 0 ? -value : value;
    }
  return out;
}

Grid grid_of_affine(const std::vector<std::int64_t>& size, const Matrix& affine) {
  require_shape(affine, {4, 4});
  Grid grid;
  grid.dims = static_cast<int>(size.size());
  if (grid.dims != 2 && grid.dims != 3) throw py::type_error("an image has two or three axes");
  std::copy(size.begin(), size.end(), grid.size.begin());
  for (int r = 0; r < grid.dims; ++r) grid.origin[r] = (r < 2 ? -1 : 1) * affine.at(r, 3) + 0.0;
  for (int c = 0; c < grid.dims; ++c) {
    double square = 0;
    for (int r = 0; r < grid.dims; ++r) square += affine.at(r, c) * affine.at(r, c);
    grid.spacing[c] = std::sqrt(square);
    for (int r = 0; r < grid.dims; ++r)
      grid.direction[r][c] = (r < 2 ? -1 : 1) * affine.at(r, c) / grid.spacing[c] + 0.0;
  }
  return usable_grid(grid, "affine");
}

}  // namespace

void require_shape(const py::array& array, const std::vector<py::ssize_t>& shape) {
  if (std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim())) return;
  const auto text = [](const py::ssize_t* begin, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += (i ? ", " : "") + std::to_string(begin[i]);
    return "(" + out + ")";
  };
  throw py::type_error("an array has the shape " +
                       text(array.shape(), static_cast<std::size_t>(array.ndim())) + ", expected " +
                       text(shape.data(), shape.size()));
}

void bind_grids(py::module_& m) {
  py::class_<Grid>(
      m, "Grid",
      "Where the voxels of an image are: size, spacing, origin and direction, in LPS mm.")
      .def(py::init(&make_grid), py::arg("size"), py::arg("spacing"), py::arg("origin"),
           py::arg("direction") = py::none())
      .def_readonly("dims", &Grid::dims)
      .def_property_readonly(
          "size", [](const Grid& g) { return py::tuple(py::cast(first(g.size, g.dims))); })
      .def_property_readonly(
          "spacing", [](const Grid& g) { return py::tuple(py::cast(first(g.spacing, g.dims))); })
      .def_property_readonly(
          "origin", [](const Grid& g) { return py::tuple(py::cast(first(g.origin, g.dims))); })
      .def_property_readonly("direction", &direction_of)
      .def_static("from_affine", &grid_of_affine, py::arg("size"), py::arg("affine"))
      .def_property_readonly("affine", &affine_of)
      .def_property_readonly("axes", [](const Grid& g) { return axis_codes(g); })
      .def(
          "is_same", [](const Grid& a, const Grid& b) { return same_grid(a, b); }, py::arg("other"))
      .def("__str__", [](const Grid& g) { return describe(g); });
}

}  // namespace aladdin::python
