#include "aladdin/core/error.h"
#include "aladdin/transform/jacobian.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"
#include "bindings.h"

namespace aladdin::python {
namespace {

using Matrix = py::array_t<double, py::array::c_style | py::array::forcecast>;

PyTransform joined(const PyTransform& outer, const PyTransform& inner) {
  PyTransform out = inner;
  out.chain.insert(out.chain.end(), outer.chain.begin(), outer.chain.end());
  if (!out.chain.empty()) require_dims(out.chain, dims_of(out.chain.front()));
  return out;
}

PyTransform affine_of(const Matrix& matrix) {
  const int dims = static_cast<int>(matrix.ndim() == 2 ? matrix.shape(0) - 1 : 0);
  if (dims != 2 && dims != 3)
    throw py::type_error("expected a matrix of 4 x 4 numbers, in 2-D of 3 x 3");
  require_shape(matrix, {dims + 1, dims + 1});
  Affine affine;
  affine.dims = dims;
  for (int r = 0; r < dims; ++r) {
    for (int c = 0; c < dims; ++c) affine.matrix[r][c] = matrix.at(r, c);
    affine.offset[r] = matrix.at(r, dims);
  }
  return {{affine}};
}

Matrix matrix_of(const Affine& affine) {
  Matrix out({affine.dims + 1, affine.dims + 1});
  for (int r = 0; r <= affine.dims; ++r)
    for (int c = 0; c <= affine.dims; ++c)
      out.mutable_at(r, c) = r == affine.dims   ? (c == affine.dims ? 1 : 0)
                             : c == affine.dims ? affine.offset[r]
                                                : affine.matrix[r][c];
  return out;
}

PyTransform displacement_of(const FortranArray<float>& vectors, const Grid& grid) {
  VectorImage field;
  field.grid = grid;
  field.values = values_of(vectors, shape_of(grid, {grid.dims}));
  return {{Displacement(std::move(field))}};
}

// Each part of the chain: (kind, matrix), (kind, vectors, grid).
py::list steps_of(py::object self) {
  auto& transform = self.cast<PyTransform&>();
  py::list out;
  for (auto& step : transform.chain) {
    if (const auto* affine = std::get_if<Affine>(&step)) {
      out.append(py::make_tuple("affine", matrix_of(*affine), py::none()));
      continue;
    }
    auto* inverse = std::get_if<InverseDisplacement>(&step);
    auto& field = inverse ? inverse->forward : std::get<Displacement>(step);
    out.append(
        py::make_tuple(inverse ? "inverse displacement" : "displacement",
                       view_of(field.vectors.grid, field.vectors.values, self, {field.grid().dims}),
                       field.grid()));
  }
  return out;
}

Matrix map(PythonCall& call, const PyTransform& transform, const Matrix& points) {
  const int dims = transform.chain.empty() ? static_cast<int>(points.shape(1))
                                           : dims_of(transform.chain.front());
  if (points.ndim() != 2 || points.shape(1) != dims || (dims != 2 && dims != 3))
    throw py::type_error("expected points as an array of " + std::to_string(dims) + " columns");
  std::vector<Vec3> moved(static_cast<std::size_t>(points.shape(0)), Vec3{0, 0, 0});
  for (std::size_t i = 0; i < moved.size(); ++i)
    for (int c = 0; c < dims; ++c) moved[i][c] = points.at(static_cast<py::ssize_t>(i), c);
  run(call, [&] { map_points(transform.chain, moved); });
  Matrix out({points.shape(0), points.shape(1)});
  for (std::size_t i = 0; i < moved.size(); ++i)
    for (int c = 0; c < dims; ++c) out.mutable_at(static_cast<py::ssize_t>(i), c) = moved[i][c];
  return out;
}

TransformOutput output_of(const std::string& format, const std::optional<Grid>& grid,
                          const std::optional<Grid>& source, const std::string& grid_name,
                          const std::string& source_name) {
  TransformOutput out;
  out.format = parse_transform_format(format);
  out.grid = grid;
  out.source = source;
  out.grid_name = grid_name;
  out.source_name = source_name;
  return out;
}

}  // namespace

void bind_transforms(py::module_& m) {
  py::class_<PyTransform>(m, "Chain")
      .def(py::init<>())
      .def_property_readonly(
          "dims",
          [](const PyTransform& t) { return t.chain.empty() ? 0 : dims_of(t.chain.front()); })
      .def_property_readonly("steps", &steps_of);
  m.def("affine", &affine_of);
  m.def("displacement", &displacement_of);
  m.def("joined", &joined);
  m.def("inverted", [](PythonCall& call, const PyTransform& t) {
    return PyTransform{run(call, [&] { return inverse(t.chain); })};
  });
  m.def("read_transform", [](PythonCall& call, const Path& path, const std::string& format,
                             const std::optional<Path>& source,
                             const std::optional<Path>& reference) {
    return PyTransform{run(call, [&] {
      return read_transform(TransformFile{path, parse_transform_format(format), source, reference});
    })};
  });
  m.def("write_transform",
        [](PythonCall& call, const Path& path, const PyTransform& t, const std::string& format,
           const std::optional<Grid>& grid, const std::optional<Grid>& source,
           const std::string& grid_name, const std::string& source_name, bool force) {
          return run(call, [&] {
            const TransformOutput output = output_of(format, grid, source, grid_name, source_name);
            const std::vector<Path> files = files_of_transform(path, t.chain, output);
            for (const auto& file : files) require_writable(file, force);
            write_transform(path, t.chain, output);
            return files;
          });
        });
  m.def("map_points", &map);
  m.def("sampled", [](PythonCall& call, const PyTransform& t, const Grid& grid) {
    return PyTransform{Chain{run(call, [&] { return to_displacement(t.chain, grid); })}};
  });
  m.def("jacobian", [](PythonCall& call, const PyTransform& t, const Grid& grid) {
    return run(call, [&] { return jacobian_determinant(to_displacement(t.chain, grid)); });
  });
  m.def("resample_image", [](PythonCall& call, const Image& image, const PyTransform& t,
                             const Grid& grid, const std::string& interpolation) {
    return run(call,
               [&] { return pull_back(image, t.chain, grid, parse_interpolation(interpolation)); });
  });
  m.def("resample_labels", [](PythonCall& call, const Labels& labels, const PyTransform& t,
                              const Grid& grid, const std::string& interpolation) {
    return run(
        call, [&] { return pull_back(labels, t.chain, grid, parse_interpolation(interpolation)); });
  });
}

}  // namespace aladdin::python
