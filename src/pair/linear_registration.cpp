#include "aladdin/pair/linear_registration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/image/content.h"
#include "aladdin/image/resample.h"

namespace aladdin {
namespace {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

// The motions that a kind allows, as columns of kMotions numbers.
std::vector<Motion> basis_of(LinearKind kind, int dims) {
  std::vector<Motion> out;
  const auto add = [&](std::initializer_list<std::pair<int, double>> entries) {
    Motion motion{};
    for (const auto& [at, value] : entries) motion[at] = value;
    out.push_back(motion);
  };
  for (int b = 0; b < dims; ++b) add({{9 + b, 1}});
  if (kind == LinearKind::affine) {
    for (int r = 0; r < dims; ++r)
      for (int c = 0; c < dims; ++c) add({{3 * r + c, 1}});
    return out;
  }
  for (int r = 0; r < dims; ++r)
    for (int c = r + 1; c < dims; ++c) add({{3 * r + c, -1}, {3 * c + r, 1}});
  if (kind == LinearKind::similarity) {
    if (dims == 3)
      add({{0, 1}, {4, 1}, {8, 1}});
    else
      add({{0, 1}, {4, 1}});
  }
  return out;
}

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Row times(const Matrix& m, const Row& x) {
  Row out;
  for (const Row& row : m) out.push_back(dot(row, x));
  return out;
}

// Of a symmetric matrix, by Gauss and Jordan, its diagonal raised a little: what the images do not determine stays.
Matrix inverted(Matrix m) {
  const std::size_t n = m.size();
  double largest = 1e-12;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, m[i][i]);
  Matrix out(n, Row(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    m[i][i] += 1e-6 * largest;
    out[i][i] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = m[i][i];
    for (std::size_t k = 0; k < n; ++k) {
      m[i][k] /= pivot;
      out[i][k] /= pivot;
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double f = m[j][i];
      if (j == i || f == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        m[j][k] -= f * m[i][k];
        out[j][k] -= f * out[i][k];
      }
    }
  }
  return out;
}

// E and its derivatives by the motions of a kind, at one resolution.
struct Point {
  Affine map;
  double energy = 0;
  Row gradient;
  Matrix curvature;
};

class Level {
 public:
  Level(const MaskedImage& fixed, const MaskedImage& moving, double spacing, const Vec3& centre,
        double radius, const LinearOptions& options)
      : fixed_(coarsened(fixed, spacing)),
        moving_(coarsened(moving, spacing)),
        spacing_(spacing),
        centre_(centre),
        radius_(radius) {
    loss_.similarity = options.similarity;
    loss_.bins = options.bins;
  }

  double spacing() const { return spacing_; }

  Point at(const Affine& map, const std::vector<Motion>& basis, bool curvature = false) const {
    const LinearMatch there =
        linear_match(fixed_, moving_, map, {centre_, radius_, false}, loss_, curvature);
    const LinearMatch back =
        linear_match(moving_, fixed_, inverse(map), {centre_, radius_, true}, loss_, curvature);
    Point out{map, 0.5 * (there.energy + back.energy), {}, {}};
    const auto project = [&](const Motion& motion, auto&& of) {
      double sum = 0;
      for (int a = 0; a < kMotions; ++a)
        if (motion[a] != 0) sum += motion[a] * of(a);
      return sum;
    };
    for (const Motion& p : basis) {
      out.gradient.push_back(
          project(p, [&](int a) { return 0.5 * (there.gradient[a] + back.gradient[a]); }));
      Row row;
      for (const Motion& q : basis)
        row.push_back(project(p, [&](int a) {
          return project(
              q, [&](int b) { return 0.5 * (there.curvature[a][b] + back.curvature[a][b]); });
        }));
      out.curvature.push_back(row);
    }
    return out;
  }

  // map o exp(sum of p_k basis_k), about the centre.
  Affine moved(const Affine& map, const std::vector<Motion>& basis, const Row& p) const {
    Mat3 a{};
    Vec3 b{0, 0, 0};
    for (std::size_t k = 0; k < basis.size(); ++k)
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) a[r][c] += p[k] * basis[k][3 * r + c] / radius_;
        b[r] += p[k] * basis[k][9 + r];
      }
    const Mat3 m = matrix_exponential(a);
    return compose(map, {m, centre_ + b - m * centre_, map.dims});
  }

 private:
  MaskedImage fixed_, moving_;
  double spacing_;
  Vec3 centre_;
  double radius_;
  LossConfig loss_;
};

// H <- (1 - r s y') H (1 - r y s') + r s s',  r = 1 / y's.
void update(Matrix& h, const Row& s, const Row& y) {
  const double sy = dot(s, y);
  if (!(sy > 1e-12 * std::sqrt(dot(s, s) * dot(y, y)))) return;
  const Row hy = times(h, y);
  const double yhy = dot(y, hy);
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = 0; j < s.size(); ++j)
      h[i][j] += (1 + yhy / sy) * s[i] * s[j] / sy - (s[i] * hy[j] + hy[i] * s[j]) / sy;
}

Point descend(const Level& level, const Affine& start, LinearKind kind, int iterations) {
  const auto basis = basis_of(kind, start.dims);
  Point now = level.at(start, basis, true);
  if (!std::isfinite(now.energy)) return now;
  Matrix h = inverted(now.curvature);
  const double enough = 5e-4 * level.spacing(), longest = 4 * level.spacing();
  bool fresh = true;  // h is that of `now`, without what the steps have told
  for (int i = 0; i < iterations; ++i) {
    Row step = times(h, now.gradient);
    for (double& x : step) x = -x;
    const double slope = dot(step, now.gradient);
    double length = std::sqrt(dot(step, step)), t = std::min(1.0, longest / length);
    if (!(length > 0)) break;
    Point next;
    bool found = false;
    for (int tries = 0; tries < 10 && !found && slope < 0; ++tries, t *= 0.5) {
      Row p = step;
      for (double& x : p) x *= t;
      next = level.at(level.moved(now.map, basis, p), basis);
      found = next.energy <= now.energy + 1e-4 * t * slope;
      if (found) step = p;
    }
    if (!found) {
      if (fresh) break;
      now = level.at(now.map, basis, true);
      h = inverted(now.curvature);
      fresh = true;
      continue;
    }
    Row y = next.gradient;
    for (std::size_t k = 0; k < y.size(); ++k) y[k] -= now.gradient[k];
    update(h, step, y);
    fresh = false;
    now = std::move(next);
    length = std::sqrt(dot(step, step));
    if (length < enough) break;
  }
  return now;
}

double volume_of(const Grid& grid) {
  double volume = 1;
  for (int axis = 0; axis < grid.dims; ++axis)
    volume *= grid.spacing[axis] * double(grid.size[axis]);
  return volume;
}

// The spacing at which both images have at most so many voxels.
double spacing_for(const Grid& a, const Grid& b, double voxels) {
  return std::pow(std::max(volume_of(a), volume_of(b)) / voxels, 1.0 / a.dims);
}

double finest_of(const Grid& grid) {
  double spacing = grid.spacing[0];
  for (int axis = 1; axis < grid.dims; ++axis) spacing = std::min(spacing, grid.spacing[axis]);
  return spacing;
}

Vec3 content_centre(const MaskedImage& image, const std::string& name) {
  const Labels* mask = image.mask.values.empty() ? nullptr : &image.mask;
  const Grid& grid = image.image.grid;
  const Box box = find_content(image.image, mask, name);
  Vec3 index{0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) index[axis] = 0.5 * double(box.first[axis] + box.last[axis]);
  return grid.to_point(index);
}

std::vector<Mat3> turns(int dims) {
  constexpr double kStep = std::numbers::pi / 9;  // 20 degrees
  std::vector<Mat3> out{kIdentity3};
  if (dims == 2) {
    for (int a = -8; a <= 9; ++a)
      if (a != 0) out.push_back(rotation(2, a * kStep, {0, 0, 0}, 2).matrix);
    return out;
  }
  for (int a = -2; a <= 2; ++a)
    for (int b = -2; b <= 2; ++b)
      for (int c = -2; c <= 2; ++c)
        if (a != 0 || b != 0 || c != 0)
          out.push_back(rotation(2, a * kStep).matrix * rotation(1, b * kStep).matrix *
                        rotation(0, c * kStep).matrix);
  return out;
}

// The best rigid pose on a grid where it costs little.
Affine best_pose(const Level& level, const Vec3& from, const Vec3& to, int dims) {
  constexpr std::size_t kTried = 8;
  constexpr int kIterations = 30;
  std::vector<Affine> poses{translation({0, 0, 0}, dims)};
  for (const Mat3& turn : turns(dims)) poses.push_back({turn, to - turn * from, dims});
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < poses.size(); ++i)
    order.emplace_back(level.at(poses[i], {}).energy, i);
  // The first two are the poses that need no turn; they are tried in any case.
  std::stable_sort(order.begin() + 2, order.end());
  Point best;
  best.energy = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(order.size(), kTried + 2); ++i) {
    const Point found = descend(level, poses[order[i].second], LinearKind::rigid, kIterations);
    if (found.energy < best.energy) best = found;
  }
  if (!std::isfinite(best.energy))
    throw Error("the two images have too little in common to be compared")
        .hint("check the masks, and that both show the same part of the body");
  return best.map;
}

}  // namespace

MaskedImage coarsened(const MaskedImage& image, double spacing_mm) {
  const Grid& g = image.image.grid;
  Grid grid = g;
  for (int axis = 0; axis < g.dims; ++axis) {
    if (g.spacing[axis] >= spacing_mm * (1 - 1e-6)) continue;
    const double extent = g.spacing[axis] * double(g.size[axis]);
    grid.size[axis] = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::floor(extent / spacing_mm + 1e-6)));
    grid.spacing[axis] = spacing_mm;
  }
  if (grid.size == g.size && grid.spacing == g.spacing) return image;
  Vec3 middle{0, 0, 0};
  for (int axis = 0; axis < g.dims; ++axis) middle[axis] = 0.5 * double(grid.size[axis] - 1);
  grid.origin = grid.origin + (g.centre() - grid.to_point(middle));
  if (image.mask.values.empty()) return {resample(image.image, grid), {}};
  // What the mask leaves out must not leak into its neighbours: the mean of what counts, where at least half does.
  Image weighted = image.image, weight(g);
  for (std::size_t v = 0; v < weight.values.size(); ++v) {
    weight.values[v] = image.mask.values[v] != 0 ? 1.0F : 0.0F;
    weighted.values[v] *= weight.values[v];
  }
  MaskedImage out{resample(weighted, grid), Labels(grid)};
  weight = resample(weight, grid);
  for (std::size_t v = 0; v < weight.values.size(); ++v) {
    out.mask.values[v] = weight.values[v] >= 0.5F;
    if (weight.values[v] > 0) out.image.values[v] /= weight.values[v];
  }
  return out;
}

LinearResult register_linear(const MaskedImage& fixed, const MaskedImage& moving,
                             const LinearOptions& options) {
  const Grid &f = fixed.image.grid, &m = moving.image.grid;
  if (f.dims != m.dims) fail("a {}-D image cannot be registered to a {}-D one", m.dims, f.dims);
  const Vec3 from = content_centre(fixed, "the fixed image"),
             to = content_centre(moving, "the moving image");
  const double radius = std::max(1e-6, 0.25 * norm(f.extent_mm()));
  constexpr double kCoarse = 1 << 13, kFine = 1 << 20;
  constexpr int kIterations = 50;
  const double coarsest = spacing_for(f, m, f.dims == 2 ? kCoarse / 2 : kCoarse);
  const double finest = std::max({spacing_for(f, m, kFine), std::min(finest_of(f), finest_of(m))});
  LinearResult out;
  {
    const Level level(fixed, moving, coarsest, from, radius, options);
    out.map = options.start ? *options.start : best_pose(level, from, to, f.dims);
  }
  // The last grid is the finest, those before it are coarser by factors of two.
  std::vector<double> spacings{finest};
  while (2 * spacings.back() < coarsest) spacings.push_back(2 * spacings.back());
  for (auto spacing = spacings.rbegin(); spacing != spacings.rend(); ++spacing) {
    const Level level(fixed, moving, *spacing, from, radius, options);
    // Where little is seen, a map with many parameters is not determined: it grows out of a simpler one.
    if (spacing == spacings.rbegin() && options.kind != LinearKind::rigid)
      out.map = descend(level, out.map, LinearKind::similarity, kIterations).map;
    const Point found = descend(level, out.map, options.kind, kIterations);
    if (!std::isfinite(found.energy))
      fail("the two images have too little in common to be compared");
    out.map = found.map;
    out.energy = found.energy;
  }
  return out;
}

}  // namespace aladdin
