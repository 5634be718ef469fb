#include "file_pattern.h"

#include <glob.h>

#include <algorithm>

#include "aladdin/core/error.h"

namespace aladdin::app {
namespace {

constexpr std::string_view kId = "{id}";

std::string replaced(const std::string& pattern, std::string_view by) {
  std::string text = pattern;
  for (auto at = text.find(kId); at != std::string::npos; at = text.find(kId, at + by.size()))
    text.replace(at, kId.size(), by);
  return text;
}

// With the special characters of a glob escaped.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string with_id(const std::string& pattern, const std::string& id) {
  return replaced(pattern, id);
}

std::vector<std::string> find_ids(const std::string& flag, const std::string& pattern) {
  const auto first = pattern.find(kId);
  if (first == std::string::npos)
    throw Error(fmt::format("{} '{}' has no {{id}}", flag, pattern), ExitCode::usage)
        .hint("write {id} in place of the subject's name, as in 'labels/{id}.nii.gz'");
  std::vector<std::string> ids;
  glob_t found{};
  glob(replaced(escaped(pattern), "*").c_str(), 0, nullptr, &found);
  const std::size_t bare = replaced(pattern, "").size(),
                    times = (pattern.size() - bare) / kId.size();
  for (std::size_t i = 0; i < found.gl_pathc; ++i) {
    const std::string path = found.gl_pathv[i];
    const std::string id = path.substr(first, (path.size() - bare) / times);
    if (!id.empty() && with_id(pattern, id) == path) ids.push_back(id);
  }
  globfree(&found);
  if (ids.empty()) fail("{} '{}' matches no file", flag, pattern);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace aladdin::app
