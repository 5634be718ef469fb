// All measures of one source in two passes over its subjects, one subject in memory at a time (and as
// many more as fit into kKept_bytes, to save reading them twice): the cost is linear in the subjects.
//
//   pass 1   votes in atlas space, folds, inverse consistency, centrality, similarity
//   pass 2   Dice with the votes of the others (d^bridge), with the consensus (d^atlas), with the
//            segmentation of the atlas (d^image), surface distances
//
// `exact` needs all subjects in memory and M^2 compositions (bridge_exact.h). Subjects without labels
// have the first pass only, without votes: registration quality. Of a share (core/shard.h) all
// subjects vote, and its own are measured; evaluation_part.h puts shares together.
#pragma once

#include "aladdin/core/shard.h"
#include "aladdin/evaluate/bridge_exact.h"
#include "aladdin/evaluate/registration_quality.h"
#include "aladdin/evaluate/sharpness.h"
#include "aladdin/evaluate/surface_distance.h"

namespace aladdin::evaluate {

struct EvaluationOptions {
  bool exact = false;    // d^bridge with one interpolation for every pair
  bool surfaces = true;  // surface distances of the labels that d^bridge compares
  // tilde d^atlas keeps every label map in atlas space; without a value if they need more than this.
  std::int64_t most_pair_bytes = std::int64_t{1} << 30;
  Shard shard;
};

struct SubjectScores {
  std::string id, split;
  DiceScores bridge, atlas, image;                      // empty without labels
  std::vector<std::optional<SurfaceDistance>> surface;  // by label index; empty: not asked for
  Folds to_atlas, to_native;                            // of native_to_atlas, of atlas_to_native
  InverseConsistency inverse;
  std::optional<Similarity> similarity;
};

struct Evaluation {
  std::string name;
  std::vector<std::int32_t> table;      // label of each index; [0] is 0; empty without labels
  std::vector<SubjectScores> subjects;  // those of the share
  std::size_t all_subjects = 0;         // of every share
  DiceSummary bridge, atlas, image;
  std::vector<Moments> pair_moments;  // of the share's pairs; empty: left out
  std::optional<DiceSummary> pairs;
  CentralitySummary centrality;  // of the displacements of all, without the shifts
  std::optional<BuiltCentrality> velocity, displacement;  // of the training subjects, as built
  LabelNames label_names;
  std::string split;  // Source::split
  std::optional<Sharpness> sharpness;
  bool exact = false, voted_segmentation = true;
  Shard shard;

  bool has_labels() const { return !table.empty(); }
};

// Throws on fewer than two subjects with labels, on none, on files that do not fit together.
Evaluation evaluate(const Source& source, const EvaluationOptions& options = {});

// The figures over all subjects from those of each: bridge, atlas, image, pairs.
void summarise_subjects(Evaluation& evaluation);

}  // namespace aladdin::evaluate
