// The bones of a right knee as signed distances (mm, negative inside) in the design space: life
// size, LPS axes with +x medial (towards the left), +y posterior, +z superior; the origin lies in
// the middle of the joint line. Shafts run on beyond any field of view.
#pragma once

#include "aladdin/synth/distance.h"

namespace aladdin::synth {

float femur_distance(Point p);  // two condyles, trochlea with its groove, metaphysis, shaft
float tibia_distance(Point p);  // plateau with two spines, tuberosity, shaft
float fibula_distance(Point p);
float patella_distance(Point p);

// Height of the tibial plateau's bony surface.
float plateau_height(float x, float y);

// Half the width over the femoral epicondyles, with some room.
constexpr float kBoneHalfWidth_mm = 45.0F;
// What bones, patella and posterior condyles need of the other two axes.
constexpr float kKneeDepth_mm = 125.0F;
constexpr float kKneeHeight_mm = 125.0F;

}  // namespace aladdin::synth
