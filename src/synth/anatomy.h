// A right knee in the design space (bones.h): at each point the tissues and the label. The labels
// are those of OAI-ZIB. Everything a subject differs in *besides* its spatial map is in Morphology.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "aladdin/synth/distance.h"

namespace aladdin::synth {

enum Label : std::int32_t {
  kFemur = 1,
  kFemoralCartilage = 2,
  kTibia = 3,
  kTibialCartilage = 4,
};

enum class Tissue : std::uint8_t {
  air,
  skin,
  fat,
  muscle,
  synovium,
  tendon,
  ligament,
  vessel,
  fluid,
  meniscus,
  cortex,
  femoral_marrow,
  tibial_marrow,
  other_marrow,
  scar,
  femoral_cartilage,
  tibial_cartilage,
  other_cartilage,
};
constexpr int kTissues = 18;

// A place where cartilage is thinner or gone: thickness * (1 - depth) at the centre.
struct Lesion {
  Point centre;
  float radius_mm;
  float depth;  // 0 … 1
};

struct Morphology {
  float femoral_cartilage_mm = 2.3F;  // at its thickest, before regional variation
  float tibial_cartilage_mm = 3.3F;
  float subcutaneous_fat_mm = 7.0F;
  float muscle = 1.0F;    // radius of muscles relative to the average
  float effusion = 0.5F;  // fluid in the joint, 0 … 1
  std::uint32_t soft_seed =
      0;  // soft tissue is bent by up to some mm, for each subject its own way
  std::vector<Lesion> lesions;
};

struct Composition {
  std::array<float, kTissues> fraction{};  // sums to 1
  std::int32_t label = 0;                  // of the point itself, 0 = none
  float depth_mm = 0.0F;  // below the surface of cartilage or bone, for layered signals
  float oedema = 0.0F;    // 0 … 1, marrow under a lesion
};

// The tissues around p, each boundary blurred over `blur_mm` (about a voxel): partial volumes. The
// label is that of the point, unblurred.
Composition knee_at(Point p, const Morphology& morphology, float blur_mm);

// Thickness of cartilage (mm, lesions included) over the bone surface near p; 0 where there is
// none.
float femoral_thickness(Point p, const Morphology& morphology);
float tibial_thickness(Point p, const Morphology& morphology);

}  // namespace aladdin::synth
