#include "aladdin/synth/noise.h"

namespace aladdin::synth {
namespace {

float corner(std::int32_t i, std::int32_t j, std::int32_t k, std::uint32_t seed) {
  std::uint32_t h = seed ^ (static_cast<std::uint32_t>(i) * 0x8da6b343U) ^
                    (static_cast<std::uint32_t>(j) * 0xd8163841U) ^
                    (static_cast<std::uint32_t>(k) * 0xcb1ab31fU);
  h = (h ^ (h >> 15)) * 0x2c1b3c6dU;
  h = (h ^ (h >> 12)) * 0x297a2d39U;
  h ^= h >> 15;
  return static_cast<float>(h) * (2.0F / 4294967296.0F) - 1.0F;
}

float ease(float t) { return t * t * (3.0F - 2.0F * t); }

}  // namespace

float smooth_noise(Point p, std::uint32_t seed) {
  const float fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
  const auto i = static_cast<std::int32_t>(fx), j = static_cast<std::int32_t>(fy),
             k = static_cast<std::int32_t>(fz);
  const float u = ease(p.x - fx), v = ease(p.y - fy), w = ease(p.z - fz);
  const auto row = [&](std::int32_t jj, std::int32_t kk) {
    return mix(corner(i, jj, kk, seed), corner(i + 1, jj, kk, seed), u);
  };
  return mix(mix(row(j, k), row(j + 1, k), v), mix(row(j, k + 1), row(j + 1, k + 1), v), w);
}

}  // namespace aladdin::synth
