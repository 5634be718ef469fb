// Symbolic links where a program of ours writes.
#pragma once

#include <string>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin {

// Throws if one of these names in `folder` is a symbolic link: what is written there stays there.
void refuse_links(const Path& folder, const std::vector<std::string>& names);

}  // namespace aladdin
