#include "chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aladdin::bench {
namespace {

constexpr double kPanel = 340, kHeight = 280, kLeft = 78, kTop = 34, kRight = 14, kBottom = 46;
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9"};

struct Range {
  double low = 1e300, high = -1e300;

  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Never empty, with a little room.
  Range padded() const {
    if (low > high) return {0, 1};
    const double room = high > low ? 0.05 * (high - low) : std::max(1e-6, 0.1 * std::abs(high));
    return {low - room, high + room};
  }
};

// About `count` round numbers.
std::vector<double> ticks(const Range& range, int count) {
  const double raw = (range.high - range.low) / count,
               power = std::pow(10, std::floor(std::log10(raw)));
  const double step = power * (raw < 1.5 * power   ? 1
                               : raw < 3.5 * power ? 2
                               : raw < 7.5 * power ? 5
                                                   : 10);
  std::vector<double> out;
  for (double t = std::ceil(range.low / step); t * step <= range.high; ++t)
    out.push_back(t * step + 0.0);  // never -0
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

class PanelPainter {
 public:
  PanelPainter(const Panel& panel, double left, const std::vector<std::string>& names)
      : panel_(panel), left_(left + kLeft), names_(names) {
    Range x, y;
    for (const Curve& curve : panel.curves) {
      for (const double value : curve.x) x.include(value);
      for (const auto* values : {&curve.y, &curve.low, &curve.high})
        for (const double value : *values) y.include(value);
    }
    x_ = x.padded();
    y_ = y.padded();
  }

  std::string draw() const {
    std::string out = text(left_ + width() / 2, 20, "middle", panel_.title, "font-weight=\"bold\"");
    out += axes();
    for (const Curve& curve : panel_.curves) out += this->curve(curve);
    return out;
  }

 private:
  static double width() { return kPanel - kLeft - kRight; }
  static double height() { return kHeight - kTop - kBottom; }
  double px(double x) const { return left_ + width() * (x - x_.low) / (x_.high - x_.low); }
  double py(double y) const { return kTop + height() * (1 - (y - y_.low) / (y_.high - y_.low)); }

  static std::string text(double x, double y, const char* anchor, const std::string& what,
                          const std::string& more = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y,
                       anchor, more, escaped(what));
  }

  std::string axes() const {
    std::string out = fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
        "stroke=\"#888\"/>\n",
        left_, kTop, width(), height());
    for (const double t : ticks(x_, 5))
      out += text(px(t), kTop + height() + 16, "middle", fmt::format("{:.4g}", t));
    for (const double t : ticks(y_, 5)) {
      out += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#ddd\"/>\n", left_, py(t),
                         width());
      out += text(left_ - 6, py(t) + 4, "end", fmt::format("{:.4g}", t));
    }
    out += text(left_ + width() / 2, kHeight - 10, "middle", panel_.x_name);
    const double middle = kTop + height() / 2, side = left_ - 62;
    return out + text(side, middle, "middle", panel_.y_name,
                      fmt::format("transform=\"rotate(-90 {:.1f} {:.1f})\"", side, middle));
  }

  std::string curve(const Curve& c) const {
    const auto at = [&](std::size_t i, double y) {
      return fmt::format("{:.1f},{:.1f} ", px(c.x[i]), py(y));
    };
    std::string line, band, out;
    for (std::size_t i = 0; i < c.x.size(); ++i) line += at(i, c.y[i]);
    for (std::size_t i = 0; i < c.low.size(); ++i) band += at(i, c.low[i]);
    for (std::size_t i = c.high.size(); i-- > 0;) band += at(i, c.high[i]);
    const std::string colour = colour_of(c.name);
    if (!band.empty())
      out +=
          fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.2\"/>\n", band, colour);
    return out +
           fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                       line, colour);
  }

  std::string colour_of(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name) - names_.begin();
    return kColours[static_cast<std::size_t>(found) % std::size(kColours)];
  }

  const Panel& panel_;
  double left_;
  const std::vector<std::string>& names_;
  Range x_, y_;
};

std::vector<std::string> names_of(const std::vector<Panel>& panels) {
  std::vector<std::string> names;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves)
      if (std::find(names.begin(), names.end(), curve.name) == names.end())
        names.push_back(curve.name);
  return names;
}

}  // namespace

std::string draw(const std::vector<Panel>& panels) {
  const auto names = names_of(panels);
  const double width = kPanel * static_cast<double>(panels.size()), height = kHeight + 26;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  for (std::size_t p = 0; p < panels.size(); ++p)
    out += PanelPainter(panels[p], kPanel * static_cast<double>(p), names).draw();
  double x = kLeft;
  for (std::size_t n = 0; n < names.size(); ++n) {
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"4\" fill=\"{}\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, kHeight + 8, kColours[n % std::size(kColours)], x + 24, kHeight + 14, escaped(names[n]));
    x += 50 + 7.0 * static_cast<double>(names[n].size());
  }
  return out + "</svg>\n";
}

}  // namespace aladdin::bench
