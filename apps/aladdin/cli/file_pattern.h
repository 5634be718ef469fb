// Patterns of file names in which {id} stands for a subject: 'fields/{id}_x.nii.gz'.
#pragma once

#include <string>
#include <vector>

namespace aladdin::app {

std::string with_id(const std::string& pattern, const std::string& id);
// The ids with a matching file, sorted. Throws (usage) without {id}, and Error if no file matches.
std::vector<std::string> find_ids(const std::string& flag, const std::string& pattern);

}  // namespace aladdin::app
