#include "chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aladdin/report/chart.h"

namespace aladdin::bench {
namespace {

using report::Range;

constexpr double kPanel = 340, kHeight = 290, kLeft = 66, kTop = 52, kRight = 14, kBottom = 46;

using Names = std::vector<std::string>;

// The order of the colours: a name's class is the same in every panel.
Names names_of(const std::vector<Panel>& panels) {
  Names names;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves)
      if (std::find(names.begin(), names.end(), curve.name) == names.end())
        names.push_back(curve.name);
  return names;
}

std::string colour_of(const Names& names, const std::string& name) {
  return fmt::format("s{}", (std::find(names.begin(), names.end(), name) - names.begin()) % 8);
}

void draw_panel(report::Svg& svg, const Panel& panel, double left, const Names& names) {
  Range xs = Range::nothing(), ys = Range::nothing();
  const auto include = [](Range& range, const std::vector<double>& values) {
    for (const double value : values)
      if (std::isfinite(value)) range.include(value);
  };
  for (const Curve& curve : panel.curves) {
    include(xs, curve.x);
    for (const auto* values : {&curve.y, &curve.low, &curve.high}) include(ys, *values);
  }
  const report::Chart chart{left + kLeft,
                            kTop,
                            kPanel - kLeft - kRight,
                            kHeight - kTop - kBottom,
                            report::scale_of(xs),
                            report::scale_of(ys)};
  svg.text({chart.left, 20}, panel.title, "title");
  chart.draw_axes(svg, panel.x_name, panel.y_name);
  for (const Curve& curve : panel.curves) {
    const std::string colour = colour_of(names, curve.name);
    auto band = chart.at(curve.x, curve.low);
    const auto back = chart.at(curve.x, curve.high);
    band.insert(band.end(), back.rbegin(), back.rend());
    if (!band.empty()) svg.polygon(band, "area " + colour);
    svg.polyline(chart.at(curve.x, curve.y), "line " + colour);
  }
}

}  // namespace

std::string draw(const std::vector<Panel>& panels) {
  const Names names = names_of(panels);
  report::Svg svg(kPanel * static_cast<double>(panels.size()), kHeight + 26,
                  panels.empty() ? "" : panels.front().title);
  for (std::size_t p = 0; p < panels.size(); ++p)
    draw_panel(svg, panels[p], kPanel * static_cast<double>(p), names);
  double x = kLeft;
  for (const std::string& name : names) {
    svg.rect(x, kHeight + 4, 18, 4, "dot " + colour_of(names, name));
    svg.text({x + 24, kHeight + 11}, name);
    x += 50 + 7.0 * static_cast<double>(name.size());
  }
  return svg.standalone_text();
}

}  // namespace aladdin::bench
