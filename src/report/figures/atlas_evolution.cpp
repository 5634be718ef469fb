#include <fmt/format.h>

#include <algorithm>

#include "aladdin/report/figures/figures.h"

namespace aladdin::report {
namespace {

constexpr std::size_t kMost = 12;
constexpr double kWidth = 640, kGap = 10, kCaption = 18;

// The first, the last, and evenly between.
std::vector<std::size_t> choose(std::size_t count) {
  std::vector<std::size_t> chosen;
  const std::size_t most = std::min(count, kMost);
  for (std::size_t i = 0; i < most; ++i)
    chosen.push_back(most == 1 ? 0 : i * (count - 1) / (most - 1));
  return chosen;
}

}  // namespace

std::optional<Figure> atlas_evolution(const RunFindings& run) {
  const auto& pictures = run.data.evolution;
  if (pictures.empty()) return std::nullopt;
  const auto chosen = choose(pictures.size());
  const int columns = 2;
  const double width = (kWidth - kGap * (columns - 1)) / columns;
  const AtlasPicture& first = pictures.front();
  const double height = width * first.height / first.width;
  const auto rows = (chosen.size() + columns - 1) / columns;
  Svg svg(kWidth, double(rows) * (height + kCaption + kGap), "The atlas over its updates");
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const AtlasPicture& picture = pictures[chosen[i]];
    const double x = double(i % columns) * (width + kGap);
    const double y = double(i / columns) * (height + kCaption + kGap);
    const std::string when =
        picture.epoch == 0 ? "at the start" : fmt::format("epoch {}", picture.epoch);
    svg.text({x, y + 12}, when);
    svg.picture(x, y + kCaption, width, height, data_uri(picture.png), when);
  }
  return Figure{
      "evolution", "The atlas over its updates",
      fmt::format("Three planes through the middle, {} of {} pictures; each with its own grey "
                  "values.",
                  chosen.size(), pictures.size()),
      svg};
}

}  // namespace aladdin::report
