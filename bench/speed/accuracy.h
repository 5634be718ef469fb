// Bridge Dice against minutes, from the table that accuracy.sh collects.
#pragma once

#include <string>

namespace aladdin::bench {

// The CSV (who, seconds, step_seconds, bridge_dice) as accuracy.md and accuracy.svg in `folder`. "NAME PART/SEED" in `who`
// is a point of the curve of that name and seed.
void write_accuracy(const std::string& csv, const std::string& folder);

}  // namespace aladdin::bench
