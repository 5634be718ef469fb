#include "aladdin/stats/covariate.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin::stats {

std::optional<std::string> take_name(const std::string& text, std::size_t& at) {
  const std::size_t start = at;
  if (at < text.size() && text[at] == '`') {
    const std::size_t end = text.find('`', start + 1);
    at = end == std::string::npos ? start + 1 : end + 1;
    if (end == std::string::npos) return std::nullopt;
    return text.substr(start + 1, end - start - 1);
  }
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || (c & 0x80);
  };
  while (at < text.size() && is_part(text[at])) ++at;
  if (at == start || std::isdigit(static_cast<unsigned char>(text[start]))) {
    at = start;
    return std::nullopt;
  }
  return text.substr(start, at - start);
}

bool is_number(const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const std::string& value) { return parse_number(value).has_value(); });
}

void require_values(const std::string& name, const Table& table, const std::string& advice) {
  const auto& values = table.column(name);
  std::vector<std::string> missing;
  for (std::size_t s = 0; s < values.size(); ++s)
    if (values[s].empty()) missing.push_back(table.ids[s]);
  if (missing.empty()) return;
  const std::size_t shown = std::min<std::size_t>(3, missing.size());
  throw Error(fmt::format("{} no value of '{}': {}{}",
                          counted(static_cast<long long>(missing.size()), "subject") +
                              (missing.size() == 1 ? " has" : " have"),
                          name, fmt::join(missing.begin(), missing.begin() + shown, ", "),
                          missing.size() > shown ? ", …" : ""),
              ExitCode::usage)
      .hint(advice);
}

void require_level(const std::string& name, const std::vector<std::string>& values,
                   const std::string& level) {
  const std::set<std::string> there(values.begin(), values.end());
  if (there.contains(level)) return;
  const std::vector<std::string> levels(there.begin(), there.end());
  const std::size_t shown = std::min<std::size_t>(10, levels.size());
  throw Error(fmt::format("no subject has {}={}; there {} {}{}", one_line(name), one_line(level),
                          levels.size() == 1 ? "is only" : "are",
                          fmt::join(levels.begin(), levels.begin() + shown, ", "),
                          levels.size() > shown ? ", …" : ""),
              ExitCode::usage)
      .hint(did_you_mean(level, levels));
}

}  // namespace aladdin::stats
