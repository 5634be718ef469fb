// What a build may write into its run directory, and nothing else.
#pragma once

#include <string>
#include <vector>

#include "aladdin/run/run_directory.h"

namespace aladdin {

// The names of all that a build writes, folders first and the record last: it says whose they are.
const std::vector<std::string>& names_in_run();

// Throws if one of them, or the lock, is a symbolic link out of the folder.
void refuse_links(const RunDirectory& run);

}  // namespace aladdin
