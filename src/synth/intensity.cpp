#include "aladdin/synth/intensity.h"

#include "aladdin/synth/noise.h"

namespace aladdin::synth {
namespace {

constexpr float kMean[kTissues] = {
    0.0F,    // air
    0.40F,   // skin
    0.175F,  // fat
    0.36F,   // muscle
    0.30F,   // synovium
    0.07F,   // tendon
    0.15F,   // ligament
    0.92F,   // vessel
    1.00F,   // fluid
    0.10F,   // meniscus
    0.055F,  // cortex
    0.20F,   // femoral marrow
    0.212F,  // tibial marrow
    0.195F,  // other marrow
    0.09F,   // scar of the growth plate
    0.61F,   // femoral cartilage
    0.51F,   // tibial cartilage
    0.58F,   // other cartilage
};

bool is_marrow(Tissue t) {
  return t == Tissue::femoral_marrow || t == Tissue::tibial_marrow || t == Tissue::other_marrow;
}
bool is_cartilage(Tissue t) {
  return t == Tissue::femoral_cartilage || t == Tissue::tibial_cartilage ||
         t == Tissue::other_cartilage;
}

// Relative deviations from the mean signal.
float trabeculae(Point p, std::uint32_t seed) {
  return 0.22F * smooth_noise(scaled(p, 0.8F, 0.8F, 0.45F), seed) +
         0.16F * smooth_noise(scaled(p, 0.3F, 0.3F, 0.2F), seed + 1) +
         0.22F * smooth_noise(scaled(p, 0.06F, 0.06F, 0.05F), seed + 2);
}

float fibres(Point p, std::uint32_t seed) {
  const float bundle = smooth_noise(scaled(p, 0.42F, 0.42F, 0.035F), seed + 3);
  const float fine = smooth_noise(scaled(p, 1.1F, 1.1F, 0.12F), seed + 4);
  const float septum = std::max(0.0F, 0.12F - std::abs(bundle)) / 0.12F;  // fat between bundles
  return 0.12F * bundle + 0.14F * fine - 0.28F * septum;
}

float lobules(Point p, std::uint32_t seed) {
  const float cell = smooth_noise(scaled(p, 0.14F, 0.14F, 0.10F), seed + 5) +
                     0.5F * smooth_noise(scaled(p, 0.33F, 0.33F, 0.2F), seed + 11);
  const float septum = std::max(0.0F, 0.11F - std::abs(cell)) / 0.11F;
  return 0.30F * smooth_noise(scaled(p, 0.09F, 0.09F, 0.09F), seed + 6) +
         0.22F * smooth_noise(scaled(p, 0.7F, 0.7F, 0.7F), seed + 7) + 0.45F * septum;
}

float layers(Point p, float depth_mm, std::uint32_t seed) {
  return 0.30F * smooth_noise(scaled(p, 0.25F, 0.25F, 0.25F), seed + 8) +
         0.24F * smooth_noise(scaled(p, 0.9F, 0.9F, 0.9F), seed + 9) +
         0.10F * (std::clamp(depth_mm, 0.0F, 3.0F) - 1.2F);  // brighter towards the surface
}

float deviation(Tissue tissue, const Composition& tissues, Point p, std::uint32_t seed) {
  if (is_marrow(tissue)) return trabeculae(p, seed);
  if (is_cartilage(tissue)) return layers(p, tissues.depth_mm, seed);
  if (tissue == Tissue::muscle) return fibres(p, seed);
  if (tissue == Tissue::fat) return lobules(p, seed);
  if (tissue == Tissue::air || tissue == Tissue::cortex) return 0.0F;
  return 0.45F * smooth_noise(scaled(p, 0.4F, 0.4F, 0.3F), seed + 10);
}

}  // namespace

float tissue_signal(const Composition& tissues, Point native_mm, std::uint32_t seed,
                    float texture) {
  float signal = 0.0F;
  for (int t = 0; t < kTissues; ++t) {
    const float fraction = tissues.fraction[t];
    if (fraction < 1e-3F) continue;
    const auto tissue = static_cast<Tissue>(t);
    float mean = kMean[t];
    if (is_marrow(tissue)) mean += 0.22F * tissues.oedema;
    const float relative =
        texture > 0 ? texture * deviation(tissue, tissues, native_mm, seed) : 0.0F;
    signal += fraction * mean * (1.0F + relative);
  }
  return std::max(signal, 0.0F);
}

CoilBias::CoilBias(Rng& rng, double strength) {
  for (float& c : linear_) c = static_cast<float>(strength * 0.10 * rng.normal());
  for (float& c : square_) c = static_cast<float>(strength * (-0.06 + 0.08 * rng.normal()));
  for (float& c : mixed_) c = static_cast<float>(strength * 0.05 * rng.normal());
}

float CoilBias::operator()(float x, float y, float z) const {
  const float exponent = linear_[0] * x + linear_[1] * y + linear_[2] * z + square_[0] * x * x +
                         square_[1] * y * y + square_[2] * z * z + mixed_[0] * x * y +
                         mixed_[1] * y * z + mixed_[2] * x * z;
  return std::exp(exponent);
}

float rician(float signal, float sigma, Rng& rng) {
  const auto real = signal + sigma * static_cast<float>(rng.normal());
  const auto imaginary = sigma * static_cast<float>(rng.normal());
  return length(real, imaginary);
}

}  // namespace aladdin::synth
