// aladdin register --to FIXED: images to another image, without an atlas.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "image_jobs.h"

namespace aladdin::app {

struct PairFlags {
  std::string to, mask, labels, kind, similarity;
  double lambda = -1, spacing = 0;  // < 0, 0: not given
};

// --to, --to-mask, --to-labels, --kind, --similarity, --lambda and --spacing.
void add_pair_flags(CLI::App& app, PairFlags& flags);
// Throws (usage) if one of them is given without --to.
void require_no_pair_flags(const PairFlags& flags);

// What register shares with it.
struct PairJobs {
  ImageArguments images;  // run: the first image
  PairFlags pair;
  std::string fields;
  bool warped = false, labels = false, json = false, force = false, threads_given = false;
};
void register_to_image(PairJobs jobs);

}  // namespace aladdin::app
