#include "aladdin/synth/anatomy.h"

#include <numbers>

#include "aladdin/synth/bones.h"
#include "aladdin/synth/soft_tissue.h"

namespace aladdin::synth {
namespace {

constexpr float kCompartment_mm = 22.5F;  // |x| of the middle of a plateau
constexpr float kMostCartilage_mm = 6.0F;

// Paints a tissue over what is there.
class Brush {
 public:
  Brush(Composition& result, float blur_mm) : result_(result), blur_mm_(blur_mm) {}

  float cover(float distance) const { return std::clamp(0.5F - distance / blur_mm_, 0.0F, 1.0F); }
  void paint(Tissue tissue, float cover) {
    if (cover <= 0.0F) return;
    for (float& fraction : result_.fraction) fraction *= 1.0F - cover;
    result_.fraction[static_cast<int>(tissue)] += cover;
  }
  void inside(Tissue tissue, float distance) { paint(tissue, cover(distance)); }

 private:
  Composition& result_;
  float blur_mm_;
};

float lesion_factor(Point p, const Morphology& morphology) {
  float factor = 1.0F;
  for (const Lesion& lesion : morphology.lesions) {
    const float r = length(p - lesion.centre) / lesion.radius_mm;
    if (r < 1.0F) factor *= 1.0F - lesion.depth * smooth_step(1.0F, 0.35F, r);
  }
  return factor;
}

float oedema_at(Point p, const Morphology& morphology) {
  float most = 0.0F;
  for (const Lesion& lesion : morphology.lesions) {
    if (lesion.depth < 0.7F) continue;
    const float r = length(p - lesion.centre) / (1.6F * lesion.radius_mm);
    most = std::max(most, smooth_step(1.0F, 0.2F, r) * (lesion.depth - 0.4F));
  }
  return most;
}

// 0 in the middle of a plateau, 1 at its edge.
float plateau_radius(Point p) {
  return length((std::abs(p.x) - kCompartment_mm) / 15.0F, (p.y - 3.5F) / 21.0F);
}

struct Joint {
  float femur, tibia;                      // distances to bone
  float femoral_mm = 0.0F, tibial_mm = 0;  // cartilage thickness there
};

Joint joint_at(Point p, const Morphology& morphology) {
  Joint joint{femur_distance(p), tibia_distance(p)};
  if (joint.femur > -3.0F && joint.femur < kMostCartilage_mm)
    joint.femoral_mm = femoral_thickness(p, morphology);
  if (joint.tibia > -3.0F && joint.tibia < kMostCartilage_mm)
    joint.tibial_mm = tibial_thickness(p, morphology);
  return joint;
}

// Where both shells meet, each point goes to the one in which it lies relatively deeper.
std::int32_t label_of(const Joint& joint) {
  if (joint.femur < 0.0F) return kFemur;
  if (joint.tibia < 0.0F) return kTibia;
  const bool femoral = joint.femur < joint.femoral_mm, tibial = joint.tibia < joint.tibial_mm;
  if (femoral && tibial)
    return joint.femur * joint.tibial_mm < joint.tibia * joint.femoral_mm ? kFemoralCartilage
                                                                          : kTibialCartilage;
  return femoral ? kFemoralCartilage : tibial ? kTibialCartilage : 0;
}

float meniscus_distance(Point p, const Joint& joint) {
  const float ring = plateau_radius(p);
  return std::max({joint.femoral_mm - joint.femur + 0.3F, joint.tibial_mm - joint.tibia + 0.3F,
                   (0.52F - ring) * 17.0F, (ring - 1.16F) * 17.0F, p.z - 10.0F, -p.z - 9.0F,
                   joint.femur + joint.tibia - 14.0F});
}

void paint_soft_tissue(Point p, Point bent, const Morphology& morphology, const Joint& joint,
                       float leg, Brush& brush) {
  brush.inside(Tissue::skin, leg);
  brush.inside(Tissue::fat, leg + 1.9F);
  // A fascia, seen as a thin dark line, wraps the muscles.
  const float deep = leg + morphology.subcutaneous_fat_mm;
  const float muscle = smooth_max(muscle_distance(bent, morphology.muscle), deep, 3.0F);
  brush.paint(Tissue::tendon, 0.6F * brush.cover(muscle - 0.6F));
  brush.inside(Tissue::muscle, muscle);
  brush.paint(Tissue::synovium, 0.75F * synovium_share(bent));
  brush.inside(Tissue::tendon, tendon_distance(p));
  brush.paint(Tissue::ligament, 0.85F * brush.cover(ligament_distance(p)));
  brush.inside(Tissue::vessel, vessel_distance(bent));
  brush.inside(Tissue::fluid, effusion_distance(p, morphology.effusion));
  // A film of fluid on the cartilage, and fluid that fills defects.
  const float film = std::max(joint.femur - joint.femoral_mm - 0.7F, p.z - 14.0F);
  if (joint.femoral_mm > 0.3F) brush.paint(Tissue::fluid, 0.7F * brush.cover(film));
  if (joint.tibial_mm > 0.3F && joint.tibia < joint.tibial_mm + 0.7F)
    brush.paint(Tissue::fluid, 0.6F);
  brush.inside(Tissue::meniscus, meniscus_distance(p, joint));
}

// Cortex thickens from the joint towards the shaft.
void paint_bone(Tissue marrow, float distance, float cortex_mm, Brush& brush) {
  brush.inside(Tissue::cortex, distance);
  brush.inside(marrow, distance + cortex_mm);
}

// The scar of the growth plate: a thin wavy sheet.
float scar_distance(Point p) {
  const float femoral =
      p.z - 40.0F - 2.5F * std::sin(p.x * 0.13F) - 0.004F * p.y * p.y - 0.06F * p.y;
  const float tibial =
      p.z + 17.5F + 0.003F * p.x * p.x + 0.05F * p.y + 1.2F * std::sin(p.x * 0.16F);
  return std::min(std::abs(femoral), std::abs(tibial)) - 0.45F;
}

void paint_patella(Point p, Brush& brush) {
  const float bone = patella_distance(p);
  if (bone > 8.0F) return;
  const Point q = p - Point{-2.0F, -44.5F, 32.0F};
  const float edge = ellipse(q.x, q.z, 19.0F, 15.0F);
  const float cartilage = std::max({bone - 3.2F * smooth_step(0.0F, -7.0F, edge), edge, -q.y});
  brush.inside(Tissue::other_cartilage, cartilage);
  paint_bone(Tissue::other_marrow, bone, 1.1F, brush);
}

void paint_bones(Point p, const Joint& joint, Brush& brush) {
  paint_patella(p, brush);
  if (p.x < -15.0F && p.z < 0.0F) {
    const float fibula = fibula_distance(p);
    if (fibula < 3.0F) paint_bone(Tissue::other_marrow, fibula, 1.3F, brush);
  }
  const float femoral_cortex = 1.15F + 2.5F * smooth_step(50.0F, 105.0F, p.z);
  const float tibial_cortex = 1.15F + 2.3F * smooth_step(-30.0F, -90.0F, p.z);
  if (joint.femur < 3.0F) paint_bone(Tissue::femoral_marrow, joint.femur, femoral_cortex, brush);
  if (joint.tibia < 3.0F) paint_bone(Tissue::tibial_marrow, joint.tibia, tibial_cortex, brush);
  const float bone = std::min(joint.femur, joint.tibia);
  if (bone < -2.5F) brush.paint(Tissue::scar, 0.55F * brush.cover(scar_distance(p)));
}

void paint_cartilage(const Joint& joint, Brush& brush) {
  const auto shell = [&](float bone, float thickness_mm) {
    return std::max(bone - thickness_mm, -bone);
  };
  if (joint.femoral_mm > 0.0F)
    brush.inside(Tissue::femoral_cartilage, shell(joint.femur, joint.femoral_mm));
  if (joint.tibial_mm > 0.0F && joint.femur * joint.tibial_mm >= joint.tibia * joint.femoral_mm)
    brush.inside(Tissue::tibial_cartilage, shell(joint.tibia, joint.tibial_mm));
}

}  // namespace

float femoral_thickness(Point p, const Morphology& morphology) {
  // The angle around the condyles' axis: 0 = distal, positive towards posterior.
  const float angle = std::atan2(p.y - 2.0F, 27.0F - p.z) * 180.0F / std::numbers::pi_v<float>;
  const float arc = smooth_step(-118.0F, -98.0F, angle) * smooth_step(106.0F, 86.0F, angle);
  if (arc <= 0.0F) return 0.0F;
  const float condyles =
      smooth_step(14.0F, 10.0F, std::abs(std::abs(p.x) - kCompartment_mm - 1.0F));
  const float groove = smooth_step(27.0F, 22.0F, std::abs(p.x));
  const float across = mix(groove, condyles, smooth_step(-52.0F, -40.0F, angle));
  const float regional = 0.86F + 0.14F * std::cos((angle + 75.0F) * 0.045F) +
                         0.06F * std::sin(p.x * 0.21F + p.y * 0.17F);
  const float mm = morphology.femoral_cartilage_mm * regional * arc * across;
  return mm > 0.0F ? mm * lesion_factor(p, morphology) : 0.0F;
}

float tibial_thickness(Point p, const Morphology& morphology) {
  const float radius =
      length((std::abs(p.x) - kCompartment_mm + 1.0F) / 14.2F, (p.y - 3.5F) / 19.8F);
  if (radius >= 1.0F || p.z < -8.0F) return 0.0F;
  const float dome = smooth_step(1.0F, 0.70F, radius) * (1.0F - 0.15F * radius);
  // On top only: it does not fold over the plateau's rim.
  const float top = smooth_step(-2.5F, -0.8F, p.z - plateau_height(p.x, p.y));
  const float side = p.x > 0 ? 0.92F : 1.05F;  // the lateral plateau has the thicker cartilage
  return morphology.tibial_cartilage_mm * dome * top * side * lesion_factor(p, morphology);
}

Composition knee_at(Point p, const Morphology& morphology, float blur_mm) {
  Composition result;
  result.fraction[static_cast<int>(Tissue::air)] = 1.0F;
  Brush brush(result, blur_mm);
  const Point bent = bend(p, morphology.soft_seed);
  const float leg = leg_distance(bent, morphology);
  if (leg > blur_mm) return result;
  const Joint joint = joint_at(p, morphology);
  result.label = label_of(joint);
  const float bone = std::min(joint.femur, joint.tibia);
  result.depth_mm = joint.femur < joint.tibia ? joint.femur : joint.tibia;
  if (bone > -blur_mm) paint_soft_tissue(p, bent, morphology, joint, leg, brush);
  paint_bones(p, joint, brush);
  if (bone > -blur_mm) paint_cartilage(joint, brush);
  if (bone < 1.0F && !morphology.lesions.empty()) result.oedema = oedema_at(p, morphology);
  return result;
}

}  // namespace aladdin::synth
