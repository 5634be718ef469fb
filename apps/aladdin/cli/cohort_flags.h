// The flags of every command that reads a cohort: where it is, and the working grid.
#pragma once

#include <CLI/CLI.hpp>

#include "aladdin/image/cohort.h"
#include "aladdin/image/working_grid.h"

namespace aladdin::app {

struct CohortFlags {
  std::string source;
  CohortOptions cohort;

  // Parses spacing and size; throws (usage) unless they are lists of numbers.
  WorkingGridOptions grid_options() const;

  std::string spacing, size, like;
  double downsample = 1;
  bool keep_positions = false;
};

// The same flags as command-line words, without the source.
std::vector<std::string> grid_and_cohort_words(const CohortFlags& flags);

void add_cohort_flags(CLI::App& app, CohortFlags& flags);

}  // namespace aladdin::app
