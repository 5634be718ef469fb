#include "aladdin/image/problems.h"

#include <algorithm>

namespace aladdin {

void Problems::report(const std::string& what) const {
  constexpr std::size_t kMostLines = 50;
  if (lines_.empty()) return;
  std::string text =
      fmt::format("{} has {} problem{}:", what, lines_.size(), lines_.size() == 1 ? "" : "s");
  for (std::size_t n = 0; n < std::min(lines_.size(), kMostLines); ++n)
    text += fmt::format("\n  {}", lines_[n]);
  if (lines_.size() > kMostLines)
    text += fmt::format("\n  and {} more", lines_.size() - kMostLines);
  throw Error(text);
}

}  // namespace aladdin
