// Patterns of file names in which {id} stands for a subject: 'fields/{id}_x.nii.gz'.
#pragma once

#include <string>
#include <vector>

namespace aladdin::app {

std::string with_id(const std::string& pattern, const std::string& id);
// The ids for which such a file is there, sorted. Throws (usage) without {id}, and if there is none.
std::vector<std::string> find_ids(const std::string& flag, const std::string& pattern);

}  // namespace aladdin::app
