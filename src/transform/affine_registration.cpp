#include "aladdin/transform/affine_registration.h"

#include <algorithm>
#include <array>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/image/sample.h"
#include "aladdin/image/shape.h"
#include "aladdin/kernels/pyramid.h"

namespace aladdin {
namespace {

constexpr int kMost = 14;  // 12 of the map, 2 of the intensities
using Row = std::array<double, kMost>;

// Normal equations of the linearised residuals: H step = -g.
struct Equations {
  std::array<Row, kMost> h{};
  Row g{};
  double squares = 0;

  void add(const Row& j, double r, int n) {
    for (int a = 0; a < n; ++a) {
      g[a] += j[a] * r;
      for (int b = 0; b <= a; ++b) h[a][b] += j[a] * j[b];
    }
    squares += r * r;
  }
  void add(const Equations& more) {
    for (int a = 0; a < kMost; ++a) {
      g[a] += more.g[a];
      for (int b = 0; b <= a; ++b) h[a][b] += more.h[a][b];
    }
    squares += more.squares;
  }
};

// Cholesky on H with its diagonal raised by the factor 1 + damping; no value where H is not positive.
std::optional<Row> solve(const Equations& e, int n, double damping) {
  std::array<Row, kMost> l{};
  for (int a = 0; a < n; ++a)
    for (int b = 0; b <= a; ++b) {
      double sum = e.h[a][b] * (a == b ? 1 + damping : 1);
      for (int k = 0; k < b; ++k) sum -= l[a][k] * l[b][k];
      if (a != b) {
        l[a][b] = sum / l[b][b];
      } else {
        if (!(sum > 1e-14 * e.h[a][a]) || !(sum > 0)) return std::nullopt;
        l[a][a] = std::sqrt(sum);
      }
    }
  Row x{};
  for (int a = 0; a < n; ++a) {
    double sum = -e.g[a];
    for (int k = 0; k < a; ++k) sum -= l[a][k] * x[k];
    x[a] = sum / l[a][a];
  }
  for (int a = n - 1; a >= 0; --a) {
    for (int k = a + 1; k < n; ++k) x[a] -= l[k][a] * x[k];
    x[a] /= l[a][a];
  }
  return x;
}

Image halved(const Image& image) {
  const Grid& g = image.grid;
  const kernels::Shape fine = shape_of(g);
  const kernels::Shape coarse = kernels::half(fine);
  Grid grid = g;
  grid.size = {coarse.w, coarse.h, coarse.d};
  for (int axis = 0; axis < g.dims; ++axis)
    if (g.size[axis] > 1) grid.spacing[axis] *= 2;
  Image out(grid);
  kernels::reduce(image.values.data(), out.values.data(), fine, 1);
  return out;
}

Image coarsened(Image image, int factor) {
  for (; factor > 1; factor /= 2) image = halved(image);
  return image;
}

// M, t, a, b as they are now; a step of parameter k of the matrix is in mm at the radius of the grid.
struct State {
  Mat3 matrix = kIdentity3;
  Vec3 shift{0, 0, 0};
  double a = 1, b = 0;
};

class Level {
 public:
  Level(const Image& fixed, const Image& moving, const Vec3& centre, double radius, bool ncc)
      : fixed_(fixed),
        moving_(moving),
        centre_(centre),
        radius_(radius),
        dims_(fixed.grid.dims),
        ncc_(ncc) {}

  int parameters() const { return dims_ * (dims_ + 1) + (ncc_ ? 2 : 0); }

  State stepped(State s, const Row& step) const {
    int k = 0;
    for (int r = 0; r < dims_; ++r)
      for (int c = 0; c < dims_; ++c) s.matrix[r][c] += step[k++] / radius_;
    for (int r = 0; r < dims_; ++r) s.shift[r] += step[k++];
    if (ncc_) {
      s.a += step[k];
      s.b += step[k + 1];
    }
    return s;
  }

  // Slices (rows in 2-D) are added up in their own order: the same bits for any number of threads.
  Equations equations(const State& s) const {
    const auto& size = fixed_.grid.size;
    const std::int64_t tasks = size[1] * size[2];
    constexpr std::int64_t kGrain = 32;
    std::vector<Equations> parts((tasks + kGrain - 1) / kGrain);
    parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t part) {
      for (std::int64_t row = part * kGrain; row < std::min(tasks, (part + 1) * kGrain); ++row)
        add_row(s, row % size[1], row / size[1], parts[part]);
    });
    Equations sum;
    for (const Equations& part : parts) sum.add(part);
    return sum;
  }

 private:
  void add_row(const State& s, std::int64_t j, std::int64_t k, Equations& e) const {
    const Mat3 to_index = moving_.grid.point_to_index();
    const Mat3 to_mm = transpose(to_index);  // of slopes
    const int n = parameters();
    for (std::int64_t i = 0; i < fixed_.grid.size[0]; ++i) {
      const Vec3 from = fixed_.grid.to_point({double(i), double(j), double(k)}) - centre_;
      const Vec3 point = s.matrix * from + centre_ + s.shift;
      Vec3 along;
      const double m = linear_with_gradient(
          moving_.values.data(),
          cell_of(moving_.grid.size, to_index * (point - moving_.grid.origin)), along);
      const Vec3 slope = s.a * (to_mm * along);
      Row row{};
      int p = 0;
      for (int r = 0; r < dims_; ++r)
        for (int c = 0; c < dims_; ++c) row[p++] = slope[r] * from[c] / radius_;
      for (int r = 0; r < dims_; ++r) row[p++] = slope[r];
      if (ncc_) {
        row[p++] = m;
        row[p] = 1;
      }
      e.add(row, s.a * m + s.b - double(fixed_.at(i, j, k)), n);
    }
  }

  const Image &fixed_, &moving_;
  Vec3 centre_;
  double radius_;
  int dims_;
  bool ncc_;
};

State descend(const Level& level, State state, int iterations) {
  Equations now = level.equations(state);
  double damping = 1e-3;
  for (int i = 0; i < iterations; ++i) {
    const auto step = solve(now, level.parameters(), damping);
    if (!step) return state;
    const State next = level.stepped(state, *step);
    const Equations there = level.equations(next);
    if (there.squares < now.squares && determinant(next.matrix) > 0.05) {
      const double gain = (now.squares - there.squares) / now.squares;
      state = next;
      now = there;
      damping = std::max(1e-7, damping / 5);
      if (gain < 1e-6) break;
    } else {
      damping *= 8;
      if (damping > 1e6) break;
    }
  }
  return state;
}

}  // namespace

Affine register_affine(const Image& fixed, const Image& moving, const Affine& start,
                       const AffineRegistrationOptions& options) {
  if (fixed.grid.dims != moving.grid.dims)
    fail("a {}-D image cannot be registered to a {}-D one", moving.grid.dims, fixed.grid.dims);
  const Vec3 centre = fixed.grid.centre();
  const double radius = std::max(1e-6, 0.5 * norm(fixed.grid.extent_mm()));
  State state;
  state.matrix = start.matrix;
  state.shift = start(centre) - centre;
  for (int factor = options.coarsest; factor >= options.finest; factor /= 2) {
    const Image f = coarsened(fixed, factor), m = coarsened(moving, factor);
    state = descend(Level(f, m, centre, radius, options.ncc), state, options.iterations);
  }
  Affine out;
  out.dims = fixed.grid.dims;
  out.matrix = state.matrix;
  out.offset = centre + state.shift - state.matrix * centre;
  return out;
}

}  // namespace aladdin
