#include "aladdin/synth/anatomy.h"

#include <gtest/gtest.h>

#include <numeric>

#include "aladdin/core/rng.h"
#include "aladdin/synth/bones.h"

namespace aladdin::synth {
namespace {

Point random_point(Rng& rng) {
  const auto draw = [&](double half) { return static_cast<float>(rng.uniform(-half, half)); };
  return {draw(56), draw(70), draw(70) + 11.0F};
}

TEST(Bones, AreWhereTheyBelong) {
  EXPECT_LT(femur_distance({0, -8, 110}), 0);  // shaft
  EXPECT_LT(femur_distance({23, 5, 12}), 0);   // medial condyle
  EXPECT_LT(femur_distance({-23, 5, 12}), 0);  // lateral condyle
  EXPECT_GT(femur_distance({0, 18, 10}), 2);   // the notch between them
  EXPECT_LT(tibia_distance({20, 3, -8}), 0);   // plateau
  EXPECT_LT(tibia_distance({6, 4, 3}), 0);     // a spine rises above it
  EXPECT_GT(tibia_distance({20, 3, 3}), 0);
  EXPECT_LT(tibia_distance({0, -4, -110}), 0);  // shaft
  EXPECT_LT(patella_distance({-2, -46, 30}), 0);
  EXPECT_LT(fibula_distance({-35, 21, -22}), 0);
}

// Distances that grow faster than length would make cartilage thinner than asked.
TEST(Bones, DistancesGrowAboutAsFastAsLength) {
  Rng rng(5);
  int near = 0;
  for (int n = 0; n < 40000; ++n) {
    const Point p = random_point(rng);
    for (const auto distance : {femur_distance, tibia_distance, patella_distance}) {
      if (std::abs(distance(p)) > 3.0F) continue;
      constexpr float h = 0.05F;
      const Point gradient{distance({p.x + h, p.y, p.z}) - distance({p.x - h, p.y, p.z}),
                           distance({p.x, p.y + h, p.z}) - distance({p.x, p.y - h, p.z}),
                           distance({p.x, p.y, p.z + h}) - distance({p.x, p.y, p.z - h})};
      const float speed = length(gradient) / (2 * h);
      EXPECT_GT(speed, 0.4F) << p.x << ' ' << p.y << ' ' << p.z;
      EXPECT_LT(speed, 1.9F) << p.x << ' ' << p.y << ' ' << p.z;
      ++near;
    }
  }
  EXPECT_GT(near, 1000);
}

TEST(Bones, NeverTouch) {
  Rng rng(6);
  for (int n = 0; n < 100000; ++n) {
    const Point p = random_point(rng);
    EXPECT_GT(std::max(femur_distance(p), tibia_distance(p)), 0.5F);
  }
}

TEST(Anatomy, TissuesAddUpToOne) {
  Rng rng(7);
  const Morphology morphology;
  for (int n = 0; n < 20000; ++n) {
    const Composition tissues = knee_at(random_point(rng), morphology, 1.0F);
    const float sum = std::accumulate(tissues.fraction.begin(), tissues.fraction.end(), 0.0F);
    EXPECT_NEAR(sum, 1.0F, 1e-4F);
  }
}

TEST(Anatomy, LabelledPointsHoldTheirTissue) {
  Rng rng(8);
  const Morphology morphology;
  const auto share = [](const Composition& c, Tissue t) { return c.fraction[static_cast<int>(t)]; };
  int cartilage = 0;
  for (int n = 0; n < 200000; ++n) {
    const Composition c = knee_at(random_point(rng), morphology, 0.01F);
    if (c.label != kFemoralCartilage && c.label != kTibialCartilage) continue;
    const bool femoral = c.label == kFemoralCartilage;
    EXPECT_GT(share(c, femoral ? Tissue::femoral_cartilage : Tissue::tibial_cartilage), 0.5F);
    ++cartilage;
  }
  EXPECT_GT(cartilage, 300);
}

TEST(Anatomy, LesionThinsCartilageOnlyWhereItIs) {
  const Point centre{23, 4, 2.5F}, elsewhere{-23, 4, 2.5F};
  const Morphology whole;
  Morphology worn;
  worn.lesions.push_back({centre, 6.0F, 1.0F});
  EXPECT_GT(femoral_thickness(centre, whole), 1.5F);
  EXPECT_FLOAT_EQ(femoral_thickness(centre, worn), 0.0F);
  EXPECT_FLOAT_EQ(femoral_thickness(elsewhere, worn), femoral_thickness(elsewhere, whole));
}

}  // namespace
}  // namespace aladdin::synth
