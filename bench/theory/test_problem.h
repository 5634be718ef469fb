// Inside this folder only. Smooth random populations, the same functions on every grid, and the smooth
// directions along which derivatives are compared.
#pragma once

#include <functional>
#include <numbers>

#include "aladdin/core/rng.h"
#include "gradient.h"

namespace aladdin::theory {

// Functions on [0, 1]^dims, sampled at `size` points along each axis.
class UnitCube {
 public:
  UnitCube(int dims, int64_t size) : dims_(dims), size_(size) {
    for (int axis = 0; axis < dims; ++axis) {
      std::vector<int64_t> shape(dims + 2, 1);
      shape[dims + 1 - axis] = size;
      coordinates_.push_back(at::arange(size, at::kDouble).view(shape) / double(size - 1));
    }
  }

  double voxels_a_unit() const { return double(size_ - 1); }
  int dims() const { return dims_; }
  const at::Tensor& coordinate(int axis) const { return coordinates_[axis]; }

  // prod_axis sin(pi x)^power: vanishes at the border with its first power - 1 derivatives.
  at::Tensor window(int power) const {
    at::Tensor out = at::ones({}, at::kDouble);
    for (const at::Tensor& x : coordinates_) out = out * (std::numbers::pi * x).sin().pow(power);
    return out;
  }

  // prod_axis cos(pi frequency x), each frequency 0 … highest.
  void each_wave(int highest, const std::function<void(const at::Tensor&)>& use) const {
    int64_t count = 1;
    for (int axis = 0; axis < dims_; ++axis) count *= highest + 1;
    for (int64_t code = 0; code < count; ++code) {
      at::Tensor wave = at::ones({}, at::kDouble);
      int64_t rest = code;
      for (const at::Tensor& x : coordinates_) {
        wave = wave * (std::numbers::pi * double(rest % (highest + 1)) * x).cos();
        rest /= highest + 1;
      }
      use(wave);
    }
  }

  at::Tensor random_series(int highest, Rng& rng) const {
    at::Tensor sum = at::zeros({}, at::kDouble);
    each_wave(highest, [&](const at::Tensor& wave) { sum = sum + rng.normal() * wave; });
    return sum;
  }

  // A field that stands still at the border, of about this strength (1 is the edge of the cube).
  at::Tensor random_velocity(double strength, Rng& rng) const {
    std::vector<at::Tensor> components;
    for (int c = 0; c < dims_; ++c) components.push_back(window(4) * random_series(2, rng));
    const at::Tensor field = at::cat(components, 1);
    return field * (strength * voxels_a_unit() / field.abs().max().item<double>());
  }

  // The smooth directions of a field: window times waves, one component at a time. (k, dims, …)
  at::Tensor directions() const {
    std::vector<at::Tensor> out;
    each_wave(3, [&](const at::Tensor& wave) {
      const at::Tensor f = window(4) * wave;
      for (int c = 0; c < dims_; ++c) {
        std::vector<at::Tensor> components(dims_, at::zeros_like(f));
        components[c] = f;
        out.push_back(at::cat(components, 1));
      }
    });
    return at::cat(out, 0);
  }

 private:
  int dims_;
  int64_t size_;
  std::vector<at::Tensor> coordinates_;
};

struct Problem {
  UnitCube cube;
  Population population;
  at::Tensor velocities;
};

// `common` is the part of the deformation that all subjects share.
inline Problem make_problem(int dims, int64_t size, int64_t subjects, std::uint64_t seed,
                            double strength = 0.06, double common = 0) {
  Rng rng(seed);
  UnitCube cube(dims, size);
  const auto image = [&](double amount) {
    return amount * cube.window(2) * cube.random_series(1, rng);
  };
  const at::Tensor atlas = cube.window(2) + image(0.5);
  const at::Tensor shared = cube.random_velocity(1, rng);
  std::vector<at::Tensor> images, velocities;
  for (int64_t i = 0; i < subjects; ++i) {
    images.push_back(atlas + image(0.3));
    velocities.push_back(cube.random_velocity(strength, rng) + common * shared);
  }
  return {cube, {atlas, at::cat(images, 0)}, at::cat(velocities, 0)};
}

inline double relative(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / b.norm()).item<double>();
}

// Over the derivatives along smooth directions, which are what a Frechet derivative is made of.
inline double error_by_direction(const UnitCube& cube, const at::Tensor& gradient,
                                 const at::Tensor& expected) {
  const at::Tensor directions = cube.directions().flatten(1);
  return relative(directions.matmul(gradient.flatten()), directions.matmul(expected.flatten()));
}

}  // namespace aladdin::theory
