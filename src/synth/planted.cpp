#include "aladdin/synth/planted.h"

#include <numbers>

#include "aladdin/synth/bones.h"

namespace aladdin::synth {
namespace {

constexpr float kShell_mm = 2.6F, kReach_mm = 7.0F;
constexpr int kSteps = 4;

double distance(const Vec3& p) {
  return femur_distance(
      {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
}

// w; 0 wherever nothing moves.
Vec3 velocity(const Vec3& p, int dims) {
  const double share = planted_share(p);
  if (share == 0) return {0, 0, 0};
  const double s = distance(p);
  if (s <= 0 || s >= kReach_mm) return {0, 0, 0};
  const double along = s * smooth_step(kReach_mm, kShell_mm, static_cast<float>(s));
  constexpr double h = 0.5;  // mm; wide enough for distances in single precision
  Vec3 n{0, 0, 0};
  for (int axis = dims == 2 ? 1 : 0; axis < 3; ++axis) {
    Vec3 step{0, 0, 0};
    step[axis] = h;
    n[axis] = distance(p + step) - distance(p - step);
  }
  return (share * along / std::max(norm(n), 1e-9)) * n;
}

}  // namespace

double planted_share(const Vec3& p) {
  const auto x = static_cast<float>(p[0]), y = static_cast<float>(p[1]),
             z = static_cast<float>(p[2]);
  // As femoral_thickness of anatomy.h: the angle around the condyles' axis, 0 = distal, positive towards posterior.
  const float angle = std::atan2(y - 2.0F, 27.0F - z) * 180.0F / std::numbers::pi_v<float>;
  return smooth_step(35.0F, 50.0F, angle) * smooth_step(125.0F, 110.0F, angle) *
         smooth_step(-4.0F, -10.0F, x);
}

Vec3 planted_map(const Vec3& design, double rate, int dims) {
  const double h = -rate / kSteps;
  Vec3 p = design;
  for (int step = 0; step < kSteps; ++step) {
    const Vec3 k1 = velocity(p, dims);
    if (step == 0 && norm(k1) == 0) return design;
    const Vec3 k2 = velocity(p + (h / 2) * k1, dims), k3 = velocity(p + (h / 2) * k2, dims);
    const Vec3 k4 = velocity(p + h * k3, dims);
    p = p + (h / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return p;
}

}  // namespace aladdin::synth
