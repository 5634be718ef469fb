#include "aladdin/optimise/minimise.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * b[i];
  return sum;
}

void add(Values& a, double weight, const Values& b) {
  const auto w = static_cast<float>(weight);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += w * b[i];
}

double longest(const Values& field, const kernels::Shape& shape) {
  const auto voxels = static_cast<std::size_t>(shape.voxels());
  float most = 0;
  for (std::size_t i = 0; i < voxels; ++i) {
    float squares = 0;
    for (int c = 0; c < shape.dims; ++c) squares += field[c * voxels + i] * field[c * voxels + i];
    most = std::max(most, squares);
  }
  return std::sqrt(double(most));
}

struct Pair {
  Values s, y;
  double rho;  // 1 / <s, y>
};

// -H g
Values direction(const Values& gradient, const std::deque<Pair>& pairs, const Preconditioner& p,
                 double gamma) {
  Values d = gradient;
  std::vector<double> alpha(pairs.size());
  for (std::size_t k = pairs.size(); k-- > 0;) {
    alpha[k] = pairs[k].rho * dot(pairs[k].s, d);
    add(d, -alpha[k], pairs[k].y);
  }
  p.apply(d.data());
  for (float& x : d) x *= static_cast<float>(gamma);
  for (std::size_t k = 0; k < pairs.size(); ++k)
    add(d, alpha[k] - pairs[k].rho * dot(pairs[k].y, d), pairs[k].s);
  for (float& x : d) x = -x;
  return d;
}

}  // namespace

Minimum minimise(RegistrationEnergy& energy, const Preconditioner& preconditioner,
                 const MinimiseOptions& options, Values& v) {
  constexpr double kArmijo = 1e-4;
  constexpr int kTrials = 8;
  Minimum out;
  Values gradient(v.size()), next(v.size()), next_gradient(v.size());
  out.energy = energy(v.data(), gradient.data());
  if (!std::isfinite(out.energy)) fail("the energy of the registration is not finite");
  std::deque<Pair> pairs;
  std::vector<double> history{out.energy};
  double gamma = 1;
  while (out.iterations < options.iterations) {
    Values d = direction(gradient, pairs, preconditioner, gamma);
    double slope = dot(gradient, d);
    if (!(slope < 0)) {  // the pairs are of no use any more
      if (pairs.empty()) break;
      pairs.clear();
      continue;
    }
    const double length = longest(d, energy.velocity_shape());
    double t = std::min(1.0, options.longest_vox / length);
    bool lower = false;
    double value = 0;
    for (int k = 0; k < kTrials; ++k) {
      next = v;
      add(next, t, d);
      value = energy(next.data(), next_gradient.data());
      lower = std::isfinite(value) && value <= out.energy + kArmijo * t * slope;
      if (lower) break;
      // To the minimum of the parabola through what is known.
      const double parabola = -slope * t / (2 * (value - out.energy - slope * t));
      t *= std::isfinite(value) ? std::clamp(parabola, 0.1, 0.5) : 0.25;
    }
    ++out.iterations;
    if (!lower) {
      if (pairs.empty()) break;
      pairs.clear();
      continue;
    }
    Pair pair{next, next_gradient, 0};
    add(pair.s, -1, v);
    add(pair.y, -1, gradient);
    const double curvature = dot(pair.s, pair.y);
    v.swap(next);
    gradient.swap(next_gradient);
    out.energy = value;
    if (curvature > 0) {
      Values py = pair.y;
      preconditioner.apply(py.data());
      const double yy = dot(pair.y, py);
      if (yy > 0) gamma = curvature / yy;
      pair.rho = 1 / curvature;
      pairs.push_back(std::move(pair));
      if (pairs.size() > static_cast<std::size_t>(options.memory)) pairs.pop_front();
    }
    history.push_back(value);
    const auto n = history.size();
    const auto patience = static_cast<std::size_t>(options.patience);
    if (n > patience && history[n - 1 - patience] - value < options.tolerance * std::abs(value))
      break;
  }
  return out;
}

}  // namespace aladdin
