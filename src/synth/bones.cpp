#include "aladdin/synth/bones.h"

namespace aladdin::synth {
namespace {

// Half width of a shaft, its half depth and its centre along y, all at one height.
struct Section {
  float half_width, half_depth, centre_y;
};

float shaft_distance(Point p, Section s) {
  return ellipse(p.x, p.y - s.centre_y, s.half_width, s.half_depth);
}

// The sagittal outline is the hull of a posterior and a larger anterior circle; across, the condyle
// is slightly barrel-shaped.
float condyle(Point p, float centre_x, float posterior_radius, float half_width) {
  const float dx = p.x - centre_x;
  const float outline = hull_of_circles(p.y, p.z, 15.0F, 3.0F + posterior_radius, posterior_radius,
                                        -7.0F, 29.5F, 26.5F);
  return smooth_max(outline + dx * dx / 75.0F, std::abs(dx) - half_width, 9.0F);
}

float trochlea(Point p) {
  const float groove = 4.5F * std::exp(-p.x * p.x / 128.0F);
  const float roller = length(p.y + 12.0F, p.z - 35.0F) - (21.0F - groove);
  return smooth_max(roller, std::abs(p.x) - 29.0F, 10.0F);
}

Section femur_section(float z) {
  const float epiphysis = smooth_step(66.0F, 28.0F, z);
  const float metaphysis = smooth_step(110.0F, 40.0F, z);
  return {mix(mix(13.5F, 19.5F, metaphysis), 37.0F, epiphysis),
          mix(mix(13.0F, 15.5F, metaphysis), 22.5F, epiphysis),
          mix(mix(-11.0F, -8.5F, metaphysis), -1.0F, epiphysis)};
}

Section tibia_section(float z) {
  const float head = smooth_step(-44.0F, -10.0F, z);
  const float neck = smooth_step(-95.0F, -32.0F, z);
  return {mix(mix(13.0F, 20.0F, neck), 37.5F, head), mix(mix(15.0F, 18.5F, neck), 24.0F, head),
          mix(mix(-5.0F, -4.0F, neck), 3.0F, head)};
}

float spine(float x, float y, float centre_x, float height) {
  const float dx = (x - centre_x) / 3.6F, dy = (y - 4.0F) / 8.5F;
  return height * std::exp(-0.5F * (dx * dx + dy * dy));
}

}  // namespace

float femur_distance(Point p) {
  const float shaft = smooth_max(shaft_distance(p, femur_section(p.z)), 31.0F - p.z, 12.0F);
  if (p.z > 80.0F) return shaft;
  const float medial = condyle(p, 23.5F, 19.5F, 14.5F);
  const float lateral = condyle(p, -23.5F, 18.5F, 14.5F);
  float epicondyles = ellipsoid({std::abs(p.x) - 33.0F, p.y - 6.0F, p.z - 29.0F}, {7, 11, 11});
  float bone = smooth_min(std::min(medial, lateral), trochlea(p), 7.0F);
  bone = smooth_min(bone, shaft, 10.0F);
  return smooth_min(bone, epicondyles, 8.0F);
}

float plateau_height(float x, float y) {
  const float slope = -0.09F * (y - 3.0F);
  const float dx = (std::abs(x) - 22.0F) / 15.0F, dy = (y - 3.0F) / 22.0F;
  const float bowl = (x > 0 ? 1.8F : 0.9F) * std::max(0.0F, 1.0F - dx * dx - dy * dy);
  return -0.75F + slope - bowl + spine(x, y, 6.0F, 9.5F) + spine(x, y, -5.5F, 8.0F);
}

float tibia_distance(Point p) {
  const Section section = tibia_section(p.z);
  float column = shaft_distance(p, section);
  if (p.z < -75.0F) return column;
  // The head is kidney-shaped: a dent behind, between the condyles.
  const float dent = length(p.x, p.y - 35.0F) - 12.0F;
  column = smooth_max(column, -dent, 10.0F);
  // A steep spine makes the height difference longer than the distance.
  const float above = p.z - plateau_height(p.x, p.y);
  const float steep = smooth_step(13.0F, 7.0F, std::abs(p.x));
  float bone = smooth_max(column, above * (1.0F - 0.35F * steep), 5.0F);
  bone = smooth_min(bone, ellipsoid({p.x + 3.0F, p.y + 21.0F, p.z + 38.0F}, {11, 8, 15}), 10.0F);
  return bone;
}

float fibula_distance(Point p) {
  const float head = ellipsoid(p - Point{-35.0F, 21.0F, -21.0F}, {8.5F, 9.5F, 11.0F});
  const float shaft = tube(p, {-35.0F, 21.0F, -24.0F}, {-33.0F, 20.0F, -160.0F}, 6.0F, 5.5F);
  return smooth_min(head, shaft, 6.0F);
}

float patella_distance(Point p) {
  const Point q = p - Point{-2.0F, -44.5F, 30.0F};
  const float body = ellipsoid(q, {22.0F, 12.0F, 21.0F - 0.10F * q.z});
  // Two facets that meet in a ridge face the trochlea.
  const float facets = q.y - 8.5F + 0.25F * std::abs(q.x);
  return smooth_max(body, facets, 5.0F);
}

}  // namespace aladdin::synth
