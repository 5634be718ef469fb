// What module.cpp puts together, one function for each file, and the shapes of arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "aladdin/image/image.h"
#include "aladdin/transform/chain.h"
#include "python_call.h"

namespace aladdin::python {

// A vector of C++ would become a list of Python.
struct PyTransform {
  Chain chain;
};

void bind_grids(py::module_& m);
void bind_images(py::module_& m);
void bind_transforms(py::module_& m);
void bind_registration(py::module_& m);
void bind_commands(py::module_& m);
void bind_kernels(py::module_& m);

// (i, j[, k]) of a grid, and behind it further axes.
inline std::vector<py::ssize_t> shape_of(const Grid& grid,
                                         std::initializer_list<py::ssize_t> more = {}) {
  std::vector<py::ssize_t> shape(grid.size.begin(), grid.size.begin() + grid.dims);
  shape.insert(shape.end(), more);
  return shape;
}

// An array over the values of `owner`, index 0 fastest; nothing is copied.
template <class T>
py::array view_of(const Grid& grid, std::vector<T>& values, py::handle owner,
                  std::initializer_list<py::ssize_t> more = {}) {
  const auto shape = shape_of(grid, more);
  std::vector<py::ssize_t> strides;
  py::ssize_t step = sizeof(T);
  for (const auto n : shape) {
    strides.push_back(step);
    step *= n;
  }
  return py::array_t<T>(shape, strides, values.data(), owner);
}

template <class T>
using FortranArray = py::array_t<T, py::array::f_style | py::array::forcecast>;

// Throws (TypeError) unless the array has the shape of the grid.
void require_shape(const py::array& array, const std::vector<py::ssize_t>& shape);

template <class T>
std::vector<T> values_of(const FortranArray<T>& array, const std::vector<py::ssize_t>& shape) {
  require_shape(array, shape);
  return {array.data(), array.data() + array.size()};
}

}  // namespace aladdin::python
