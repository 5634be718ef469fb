#include "aladdin/transform/inverse_solver.h"

#include "aladdin/transform/sample.h"

namespace aladdin {
namespace {

// The residual Phi(x) - y and the Jacobian of Phi at x.
struct Point {
  Vec3 x, residual;
  Mat3 jacobian;
  double size;
};

Point evaluate(const VectorImage& field, const Vec3& x, const Vec3& y) {
  Point point;
  point.x = x;
  const Vec3 u = vector_with_jacobian(field, cell_of(field.grid.size, x), point.jacobian);
  for (int axis = 0; axis < 3; ++axis) {
    point.residual[axis] = x[axis] + u[axis] - y[axis];
    point.jacobian[axis][axis] += 1.0;
  }
  point.size = norm(point.residual);
  return point;
}

// -(J^-1) r by Cramer's rule; false where J is close to singular or turned inside out.
bool newton_step(const Point& point, Vec3& step) {
  constexpr double kSmallest = 0.05;
  const Mat3& j = point.jacobian;
  const Vec3 c0{j[1][1] * j[2][2] - j[1][2] * j[2][1], j[1][2] * j[2][0] - j[1][0] * j[2][2],
                j[1][0] * j[2][1] - j[1][1] * j[2][0]};
  const double det = j[0][0] * c0[0] + j[0][1] * c0[1] + j[0][2] * c0[2];
  if (det < kSmallest) return false;
  const Vec3 c1{j[0][2] * j[2][1] - j[0][1] * j[2][2], j[0][0] * j[2][2] - j[0][2] * j[2][0],
                j[0][1] * j[2][0] - j[0][0] * j[2][1]};
  const Vec3 c2{j[0][1] * j[1][2] - j[0][2] * j[1][1], j[0][2] * j[1][0] - j[0][0] * j[1][2],
                j[0][0] * j[1][1] - j[0][1] * j[1][0]};
  const Vec3& r = point.residual;
  for (int axis = 0; axis < 3; ++axis)
    step[axis] = -(c0[axis] * r[0] + c1[axis] * r[1] + c2[axis] * r[2]) / det;
  return true;
}

// Moves along `step`, halved until the residual falls; false if it never does.
bool descend(const VectorImage& field, const Vec3& y, const Vec3& step, Point& point) {
  constexpr int kHalvings = 6;
  double factor = 1;
  for (int halving = 0; halving <= kHalvings; ++halving, factor *= 0.5) {
    const Point trial = evaluate(field, point.x + factor * step, y);
    if (trial.size < (1 - 0.1 * factor) * point.size) {
      point = trial;
      return true;
    }
  }
  return false;
}

}  // namespace

InverseSolver::InverseSolver(const Displacement& displacement)
    : field_(mm_to_voxels(displacement.vectors)) {}

InverseSolver::Root InverseSolver::solve(const Vec3& y) const {
  const Root root = solve(y, y - vector_at(field_, cell_of(field_.grid.size, y)));
  return root.solved ? root : solve(y, y);
}

InverseSolver::Root InverseSolver::solve(const Vec3& y, const Vec3& start) const {
  constexpr int kIterations = 50;
  Point point = evaluate(field_, start, y);
  for (int k = 0; k < kIterations && point.size > kTolerance_vox; ++k) {
    Vec3 step;
    if (newton_step(point, step) && descend(field_, y, step, point)) continue;
    if (!descend(field_, y, -1.0 * point.residual, point)) break;
  }
  return {point.x, point.size, point.size <= kTolerance_vox};
}

}  // namespace aladdin
