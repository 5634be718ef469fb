// Signed distances (mm, negative inside) to simple solids and ways to join them. First-order exact
// near the surface, which is all that partial volumes and cartilage thickness need. Single
// precision, inline: the anatomy calls these some fifty times a voxel.
#pragma once

#include <algorithm>
#include <cmath>

namespace aladdin::synth {

struct Point {
  float x, y, z;
  // A friend, so that it does not hide the operators of core/linear.h.
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
};

inline float dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline float length(Point a) { return std::sqrt(dot(a, a)); }
inline float length(float a, float b) { return std::sqrt(a * a + b * b); }
inline float mix(float a, float b, float t) { return a + (b - a) * t; }

// 0 at `from` and before, 1 at `to` and beyond, with flat ends; `from` may exceed `to`.
inline float smooth_step(float from, float to, float t) {
  const float u = std::clamp((t - from) / (to - from), 0.0F, 1.0F);
  return u * u * (3.0F - 2.0F * u);
}

// Union and intersection whose seam is rounded over `k` mm.
inline float smooth_min(float a, float b, float k) {
  const float h = std::max(k - std::abs(a - b), 0.0F);
  return std::min(a, b) - h * h / (4.0F * k);
}
inline float smooth_max(float a, float b, float k) { return -smooth_min(-a, -b, k); }

inline float ellipsoid(Point p, Point radius) {
  const Point q{p.x / radius.x, p.y / radius.y, p.z / radius.z};
  const float k0 = length(q);
  const float k1 = length(Point{q.x / radius.x, q.y / radius.y, q.z / radius.z});
  return k1 > 1e-6F ? k0 * (k0 - 1.0F) / k1 : -std::min({radius.x, radius.y, radius.z});
}

inline float ellipse(float x, float y, float a, float b) {
  const float k0 = length(x / a, y / b);
  const float k1 = length(x / (a * a), y / (b * b));
  return k1 > 1e-6F ? k0 * (k0 - 1.0F) / k1 : -std::min(a, b);
}

// A tube from a to b with round ends, whose radius changes linearly.
inline float tube(Point p, Point a, Point b, float radius_a, float radius_b) {
  const Point ab = b - a, ap = p - a;
  const float t = std::clamp(dot(ap, ab) / dot(ab, ab), 0.0F, 1.0F);
  return length(ap - Point{t * ab.x, t * ab.y, t * ab.z}) - mix(radius_a, radius_b, t);
}

// The convex hull of two circles in a plane, centres (ay, az) and (by, bz).
inline float hull_of_circles(float y, float z, float ay, float az, float ra, float by, float bz,
                             float rb) {
  const float dy = by - ay, dz = bz - az;
  const float span = length(dy, dz);
  const float along = ((y - ay) * dy + (z - az) * dz) / span;
  const float across = std::abs((y - ay) * dz - (z - az) * dy) / span;
  const float slope = (ra - rb) / span;  // sine of the angle between the hull's side and its axis
  const float cosine = std::sqrt(1.0F - slope * slope);
  const float side = along * cosine - across * slope;  // where the foot of the perpendicular lies
  if (side <= 0.0F) return length(along, across) - ra;
  if (side >= span * cosine) return length(along - span, across) - rb;
  return across * cosine + along * slope - ra;
}

}  // namespace aladdin::synth
