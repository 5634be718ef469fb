// Evaluations of shares as files, and shares put together: every figure of a subject as it was
// measured, so that the whole is that of one process (but for the order in which pairs are summed).
//
//   {"format": "aladdin evaluation part", "version": 1, "shard": [2, 8], …}
#pragma once

#include "aladdin/core/files.h"
#include "aladdin/evaluate/evaluation.h"

namespace aladdin::evaluate {

void write_part(const Path& path, const Evaluation& evaluation);
// Throws one sentence on a file that is none, is damaged, or is of another version.
Evaluation read_part(const Path& path);

// One evaluation for each name, in the order in which the names appear. Throws unless every share of
// each is there exactly once, and all were measured in the same way.
std::vector<Evaluation> merge_parts(std::vector<Evaluation> parts);

}  // namespace aladdin::evaluate
