// What is asked of the covariates: flags that `atlas` and `register` share.
#pragma once

#include <CLI/CLI.hpp>

#include "aladdin/condition/plan.h"

namespace aladdin::app {

struct AtlasFlags {
  std::string where, at, sweep, bandwidth;
  bool drop_missing = false, extrapolate = false;

  bool given() const { return !where.empty() || !at.empty() || !sweep.empty(); }
  condition::Question question() const;
  std::vector<condition::Width> widths() const;
};

void add_atlas_flags(CLI::App& app, AtlasFlags& flags);

}  // namespace aladdin::app
