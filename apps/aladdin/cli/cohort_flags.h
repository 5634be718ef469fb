// The flags that say which cohort and on which grid, the same for every command that reads one.
#pragma once

#include <CLI/CLI.hpp>

#include "aladdin/image/cohort.h"
#include "aladdin/image/working_grid.h"

namespace aladdin::app {

struct CohortFlags {
  std::string source;
  CohortOptions cohort;

  // Of the flags as they were parsed; throws (usage) on what is no list of numbers.
  WorkingGridOptions grid_options() const;

  std::string spacing, size, like;
  double downsample = 1;
  bool keep_positions = false;
};

// The same flags but the source, as words of a command line.
std::vector<std::string> grid_and_cohort_words(const CohortFlags& flags);

void add_cohort_flags(CLI::App& app, CohortFlags& flags);

}  // namespace aladdin::app
