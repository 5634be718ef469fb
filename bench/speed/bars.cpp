#include "bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/files.h"
#include "aladdin/report/chart.h"

namespace aladdin::bench {

// Each pair as parts of its longer bar: seconds and megabytes of two sizes share no axis.
void write_bars(const std::string& path, const std::vector<Bar>& bars) {
  constexpr double kLeft = 240, kWidth = 380, kRow = 46, kHeight = 14;
  report::Svg svg(kLeft + kWidth + 90, 40 + kRow * static_cast<double>(bars.size()),
                  "Time and memory, PyTorch and ours");
  svg.rect(kLeft, 12, 18, 6, "dot s1").text({kLeft + 24, 19}, "PyTorch");
  svg.rect(kLeft + 110, 12, 18, 6, "dot s0").text({kLeft + 134, 19}, "Aladdin");
  double top = 34;
  for (const Bar& bar : bars) {
    const double longest = std::max(bar.theirs, bar.ours);
    svg.text({kLeft - 10, top + 19}, bar.name, "ink", report::Anchor::end);
    const auto draw = [&](double value, double y, const char* colour) {
      const double length = kWidth * value / longest;
      svg.rect(kLeft, y, length, kHeight, fmt::format("dot {}", colour));
      svg.text({kLeft + length + 6, y + 11},
               fmt::format("{} {}", report::format_number(value), bar.unit), "muted");
    };
    if (bar.theirs > 0) draw(bar.theirs, top, "s1");
    draw(bar.ours, top + kHeight + 3, "s0");
    top += kRow;
  }
  write_text(path, svg.standalone_text());
}

}  // namespace aladdin::bench
