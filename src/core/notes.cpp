#include "aladdin/core/notes.h"

#include <fmt/format.h>

#include <map>

#include "aladdin/core/text.h"

namespace aladdin {

std::vector<std::string> merged(const std::vector<Note>& notes, std::string_view noun,
                                std::size_t most) {
  struct Group {
    Note first;
    long long count;
  };
  std::vector<Group> groups;
  std::map<std::string_view, std::size_t> group_of;
  for (const Note& note : notes) {
    if (note.text.empty()) continue;
    const auto [same, is_new] = group_of.emplace(note.text, groups.size());
    if (is_new) groups.push_back({note, 0});
    ++groups[same->second].count;
  }
  std::vector<std::string> lines;
  long long left = 0;
  for (const Group& group : groups) {
    if (lines.size() == most) {
      left += group.count;
      continue;
    }
    lines.push_back(fmt::format("{}{}: {}", group.first.name,
                                group.count == 1 ? "" : " and " + counted(group.count - 1, "other"),
                                group.first.text));
  }
  if (left > 0) lines.push_back(fmt::format("and {} more like it", counted(left, noun)));
  return lines;
}

}  // namespace aladdin
