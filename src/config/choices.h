// The named values of settings, but for those that methods add (config/methods.h).
#pragma once

#include "aladdin/config/choice.h"

namespace aladdin {

// What F predicts: a velocity, or a displacement that pulls the image to the atlas (backward models) or
// the atlas to the image (forward models) and has a numerical inverse only.
enum class FlowKind { velocity, image, atlas };
inline constexpr Named<FlowKind> kFlowKinds[] = {
    {FlowKind::velocity, "velocity"}, {FlowKind::image, "image"}, {FlowKind::atlas, "atlas"}};
constexpr std::span<const Named<FlowKind>> table_of(FlowKind) { return kFlowKinds; }

// How two images are compared. Each has its file in src/loss/similarities; a new one needs that file and
// a row here.
enum class SimilarityKind { mse, ncc, lncc, mi };
struct SimilarityRow {
  SimilarityKind value;
  std::string_view name;
  bool keeps_scale;  // it compares the intensities themselves, so that an atlas keeps their scale
  int floats;        // a training step holds for it, per voxel of the batch (train/memory.h)
};
inline constexpr SimilarityRow kSimilarityKinds[] = {{SimilarityKind::mse, "mse", true, 8},
                                                     {SimilarityKind::ncc, "ncc", false, 30},
                                                     {SimilarityKind::lncc, "lncc", false, 30},
                                                     {SimilarityKind::mi, "mi", false, 30}};
constexpr std::span<const SimilarityRow> table_of(SimilarityKind) { return kSimilarityKinds; }
constexpr bool keeps_scale(SimilarityKind kind) { return row_of(kind).keeps_scale; }

// Of Phi_{1,0}, or of the velocity itself (loss/regularity.h).
enum class RegulariserKind { bending, gradient, velocity };
inline constexpr Named<RegulariserKind> kRegulariserKinds[] = {
    {RegulariserKind::bending, "bending"},
    {RegulariserKind::gradient, "gradient"},
    {RegulariserKind::velocity, "velocity"}};
constexpr std::span<const Named<RegulariserKind>> table_of(RegulariserKind) {
  return kRegulariserKinds;
}

// In which bending is measured: the mean voxel of the working grid, or mm.
enum class LengthUnit { voxel, mm };
inline constexpr Named<LengthUnit> kLengthUnits[] = {{LengthUnit::voxel, "voxel"},
                                                     {LengthUnit::mm, "mm"}};
constexpr std::span<const Named<LengthUnit>> table_of(LengthUnit) { return kLengthUnits; }

// How the atlas is made (method/atlas.h), and what a table calls it.
enum class AtlasRule { forward, backward, learned, adam, fixed };
struct AtlasRuleRow {
  AtlasRule value;
  std::string_view name, title;
};
inline constexpr AtlasRuleRow kAtlasRules[] = {{AtlasRule::forward, "forward", "Eq. 4"},
                                               {AtlasRule::backward, "backward", "Eq. 3"},
                                               {AtlasRule::learned, "learned", "learned"},
                                               {AtlasRule::adam, "adam", "learned"},
                                               {AtlasRule::fixed, "fixed", "fixed"}};
constexpr std::span<const AtlasRuleRow> table_of(AtlasRule) { return kAtlasRules; }

// Of the learning rate.
enum class RateSchedule { constant, multistep, cosine };
inline constexpr Named<RateSchedule> kRateSchedules[] = {{RateSchedule::constant, "constant"},
                                                         {RateSchedule::multistep, "multistep"},
                                                         {RateSchedule::cosine, "cosine"}};
constexpr std::span<const Named<RateSchedule>> table_of(RateSchedule) { return kRateSchedules; }

}  // namespace aladdin
