#include "chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  const double width = kPanel * static_cast<double>(panels.size());
  // The names of the colours, in as many lines as they need.
  std::vector<std::array<double, 2>> places;
  double x = kLeft, y = kHeight + 4;
  for (const std::string& name : names) {
    const double wide = 50 + 7.0 * static_cast<double>(name.size());
    if (x > kLeft && x + wide - 26 > width) {
      x = kLeft;
      y += 18;
    }
    places.push_back({x, y});
    x += wide;
  }
  report::Svg svg(width, y + 22, panels.empty() ? "" : panels.front().title);
  for (std::size_t p = 0; p < panels.size(); ++p)
    draw_panel(svg, panels[p], kPanel * static_cast<double>(p), names);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto [left, top] = places[n];
    svg.rect(left, top, 18, 4, "dot " + colour_of(names, names[n]));
    svg.text({left + 24, top + 7}, names[n]);
  }
  return svg.standalone_text();
}

}  // namespace aladdin::bench
