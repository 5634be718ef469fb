// Bridge Dice against minutes, from the table that accuracy.sh collects.
#pragma once

#include <string>

namespace aladdin::bench {

// The CSV (who, seconds, bridge_dice) as accuracy.md and accuracy.svg in `folder`. What follows a space in
// `who` tells runs of the same curve apart.
void write_accuracy(const std::string& csv, const std::string& folder);

}  // namespace aladdin::bench
