// What an evaluation measures: subjects and the transforms between them and the atlas, made by any
// program. A run directory is one such source.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"
#include "aladdin/image/intensity.h"
#include "aladdin/image/label_names.h"
#include "aladdin/transform/chain.h"

namespace aladdin::evaluate {

struct SourceSubject {
  std::string id, split;
  Path label;  // "": none
  Path image;  // "": none, no similarity is measured
  // The names are those of the files: native_to_atlas maps atlas points to native points. Where one
  // is not given, the other is inverted numerically, point by point.
  std::function<Chain()> native_to_atlas, atlas_to_native;
  // Where the subject was before it was registered: native = atlas + shift.
  Vec3 shift{0, 0, 0};
  std::optional<IntensityMap> intensity;            // else found in the image
  std::map<std::string, std::string> covariates{};  // by name, as the cohort wrote them
};

// How far the velocities, or the displacements, of the training subjects are from a mean of 0, as the build measured it
// (centrality.h).
struct BuiltCentrality {
  double mean_mm = 0, max_mm = 0, shift_mm = 0;
  std::int64_t subjects = 0;
};

struct Source {
  std::string name;
  std::vector<SourceSubject> subjects;  // all with labels, or none, unless asked for otherwise
  std::vector<std::string> covariates;  // names, in the cohort's order
  Path atlas;         // "": none. Else its grid is the atlas grid, and its sharpness is measured
  Path segmentation;  // of the atlas, for d^image; "": voted
  bool atlas_is_mapped = false;  // intensities are in 0 … 1 already
  std::optional<BuiltCentrality> velocity, displacement;
  LabelNames label_names;
  std::string
      split;  // which subjects these are: "train", "val", "test" or "all"; "": all that were named

  bool has_labels() const { return !subjects.empty() && !subjects.front().label.empty(); }
};

// What becomes of subjects without labels where others have some: Dice needs labels, sizes do not.
enum class Unlabelled { drop, keep };

// The subjects of a run directory. Throws, naming what is missing, unless every file is there.
Source source_of_run(const Path& folder, const std::string& split,
                     Unlabelled unlabelled = Unlabelled::drop);

// The atlas of a run directory, its labels and their names, without its subjects: for images that
// were registered to it later. Throws as source_of_run.
Source atlas_of_run(const Path& folder);

// The names of labels that a run's cohort had.
LabelNames label_names_of_run(const Path& folder);

// Keeps the subjects of `split`: "train", "val", "test", "all", or "" for val if it has any, else all.
// A subject without a split is for training. Unless `unlabelled` says otherwise, only the labelled ones
// of these if there are any. Throws if that leaves none.
void select_split(Source& source, const std::string& split,
                  Unlabelled unlabelled = Unlabelled::drop);

}  // namespace aladdin::evaluate
