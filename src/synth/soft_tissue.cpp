#include "aladdin/synth/soft_tissue.h"

#include "aladdin/synth/noise.h"

namespace aladdin::synth {
namespace {

struct Tube {
  Point a, b;
  float radius_a, radius_b;
};

constexpr Tube kMuscles[] = {
    {{20, 45, 12}, {14, 40, 140}, 10, 22},      // semimembranosus
    {{10, 50, 30}, {4, 46, 140}, 6, 15},        // semitendinosus
    {{-29, 38, -4}, {-22, 38, 140}, 9, 20},     // biceps femoris
    {{17, 36, 34}, {20, 38, -140}, 10, 23},     // gastrocnemius, medial head
    {{-18, 37, 32}, {-19, 37, -140}, 10, 21},   // gastrocnemius, lateral head
    {{37, -10, 34}, {26, -14, 140}, 9, 28},     // vastus medialis
    {{-35, -14, 44}, {-26, -14, 140}, 8, 27},   // vastus lateralis
    {{-2, -30, 72}, {-2, -33, 140}, 4, 14},     // vastus intermedius, rectus femoris
    {{-30, -8, -24}, {-26, -12, -140}, 5, 16},  // tibialis anterior
    {{-10, 26, -14}, {14, 20, -60}, 6, 8},      // popliteus
    {{-14, 28, -34}, {0, 26, -140}, 5, 22},     // soleus
    {{43, 26, 70}, {40, 14, -30}, 8, 4},        // sartorius
};

// A flat band along a straight line of the sagittal plane.
float band(Point p, float ay, float az, float by, float bz, float half_thickness,
           float half_width) {
  const float across =
      tube({0, p.y, p.z}, {0, ay, az}, {0, by, bz}, half_thickness, half_thickness);
  const float side = (p.x + 2.0F) / half_width;  // thinner towards the sides
  return across + half_thickness * std::min(side * side, 4.0F);
}

}  // namespace

Point bend(Point p, std::uint32_t seed) {
  const Point broad = scaled(p, 1 / 26.0F, 1 / 26.0F, 1 / 40.0F);
  const Point fine = scaled(p, 1 / 9.0F, 1 / 9.0F, 1 / 16.0F);
  const float front = 4.5F * smooth_noise(broad, seed) + 0.9F * smooth_noise(fine, seed + 2);
  const float side = 4.5F * smooth_noise(broad, seed + 1) + 0.9F * smooth_noise(fine, seed + 3);
  return {p.x + side, p.y + front, p.z};
}

float leg_distance(Point p, const Morphology& morphology) {
  const float thigh = smooth_step(10.0F, 110.0F, p.z), calf = smooth_step(-15.0F, -90.0F, p.z);
  const float fat = morphology.subcutaneous_fat_mm - 7.0F;
  const float front = 57.5F - 3.0F * thigh - 14.0F * calf;  // from y = 0 forwards
  const float back =
      58.0F + 4.0F * thigh + 6.0F * calf - 6.0F * smooth_step(40.0F, 0.0F, std::abs(p.z));
  const float half_width = 50.0F + 9.0F * thigh - 1.0F * calf + fat;
  const float knee_cap = 3.5F * std::exp(-(p.x * p.x + (p.z - 28.0F) * (p.z - 28.0F)) / 700.0F);
  return ellipse(p.x, p.y, half_width, p.y < 0 ? front + 0.5F * fat + knee_cap : back + fat);
}

float muscle_distance(Point p, float muscle) {
  float nearest = 1e3F;
  for (const Tube& m : kMuscles)
    nearest = std::min(nearest, tube(p, m.a, m.b, m.radius_a * muscle, m.radius_b * muscle));
  return nearest;
}

float tendon_distance(Point p) {
  const float quadriceps = band(p, -50, 46, -42, 140, 3.4F, 14);
  const float patellar = band(p, -52, 15, -31, -40, 2.6F, 13);
  const float over_patella = band(p, -56.5F, 12, -57, 44, 1.2F, 15);
  return std::min({quadriceps, patellar, over_patella});
}

float ligament_distance(Point p) {
  // The posterior cruciate bends; the anterior one is straight and fans out.
  const float posterior = smooth_min(tube(p, {5, 2, 16}, {3, 19, 15}, 4.2F, 4.4F),
                                     tube(p, {3, 19, 15}, {0, 28, -10}, 4.4F, 3.6F), 4.0F);
  const float anterior = tube(p, {-6, 18, 24}, {1, -10, -1}, 3.6F, 4.6F);
  const float medial = tube(p, {41, 4, 26}, {36, -2, -42}, 1.6F, 1.6F);
  const float lateral = tube(p, {-42, 6, 26}, {-38, 20, -18}, 1.7F, 1.7F);
  return std::min({posterior, anterior, medial, lateral});
}

float vessel_distance(Point p) {
  const float sway = 3.0F * std::sin(p.z / 37.0F);
  const float artery = length(p.x - 2.0F - sway, p.y - 40.0F - 0.04F * p.z) - 2.9F;
  const float vein = length(p.x + 4.0F - 0.6F * sway, p.y - 44.5F - 0.03F * p.z) - 3.3F;
  const float saphenous = length(p.x - 33.0F, p.y - 40.0F + 0.08F * p.z) - 1.8F;
  return std::min({artery, vein, saphenous});
}

float effusion_distance(Point p, float effusion) {
  if (effusion < 0.2F) return 1e3F;  // a healthy joint
  const float pouch = ellipsoid(p - Point{-2, -36.0F, 62}, {15, 0.4F + 2.4F * effusion, 12});
  const float behind =
      ellipsoid({std::abs(p.x) - 20.0F, p.y - 38.5F, p.z - 16.0F}, {8, 0.2F + 1.6F * effusion, 7});
  return std::min(pouch, behind);
}

float synovium_share(Point p) {
  const float notch = length(Point{p.x / 15.0F, (p.y - 15.0F) / 22.0F, (p.z - 11.0F) / 18.0F});
  const float lining = length(Point{p.x / 42.0F, (p.y - 2.0F) / 42.0F, (p.z - 4.0F) / 14.0F});
  return std::max(smooth_step(1.15F, 0.6F, notch), 0.6F * smooth_step(1.1F, 0.9F, lining));
}

}  // namespace aladdin::synth
