#include "aladdin/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aladdin::report {
namespace {

std::vector<double> linear_ticks(const Range& range, int about) {
  const double rough = (range.high - range.low) / std::max(1, about);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough * 0.999) {
      step = nice * power;
      break;
    }
  std::vector<double> ticks;
  const double first = std::ceil(range.low / step - 1e-9);
  for (double k = first; k * step <= range.high + 1e-9 * step; ++k) ticks.push_back(k * step);
  return ticks;
}

std::vector<double> logarithmic_ticks(const Range& range, int about) {
  const int first = static_cast<int>(std::ceil(std::log10(range.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(range.high) + 1e-9));
  if (last - first < 1) {
    std::vector<double> ticks = linear_ticks(range, about);
    std::erase_if(ticks, [](double tick) { return tick <= 0; });
    return ticks;
  }
  const int every = std::max(1, (last - first + about) / std::max(1, about));
  std::vector<double> ticks;
  for (int power = first; power <= last; power += every) ticks.push_back(std::pow(10.0, power));
  return ticks;
}

}  // namespace

std::string format_number(double value, int significant) {
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e5 || magnitude < 1e-3) {
    // 1e-05 as "1e-5"
    std::string text = fmt::format("{:.{}g}", value, significant);
    const auto e = text.find('e');
    if (e == std::string::npos) return text;
    const int power = std::stoi(text.substr(e + 1));
    return fmt::format("{}e{}", text.substr(0, e), power);
  }
  return fmt::format("{:.{}g}", value, std::max(significant, 1 + int(std::log10(magnitude))));
}

void Range::include(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

double Scale::position(double value) const {
  if (!logarithmic) return (value - range.low) / (range.high - range.low);
  const double floor = std::max(value, range.low);
  return std::log(floor / range.low) / std::log(range.high / range.low);
}

std::vector<double> Scale::ticks(int about) const {
  return logarithmic ? logarithmic_ticks(range, about) : linear_ticks(range, about);
}

Scale scale_of(Range values, bool logarithmic) {
  if (values.empty()) values = {0, 1};
  if (logarithmic && values.low > 0) {
    if (values.high / values.low < 1.2) return scale_of(values, false);
    const double room = std::pow(values.high / values.low, 0.06);
    return {{values.low / room, values.high * room}, true};
  }
  const double span = values.high - values.low;
  if (span == 0 && values.high == 0) return {{0, 1}, false};
  const double room = span > 0 ? 0.06 * span : std::max(1e-6, 0.1 * std::abs(values.high));
  return {{values.low - room, values.high + room}, false};
}

std::vector<PointXY> Chart::at(std::span<const double> xs, std::span<const double> ys) const {
  std::vector<PointXY> points;
  for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i)
    points.push_back(at(xs[i], ys[i]));
  return points;
}

void Chart::draw_axes(Svg& svg, std::string_view x_name, std::string_view y_name) const {
  for (const double tick : y.ticks(5)) {
    const double py = top + height * (1 - y.position(tick));
    svg.line({left, py}, {left + width, py}, "grid");
    svg.text({left - 6, py + 4}, format_number(tick), "muted", Anchor::end);
  }
  for (const double tick : x.ticks(6)) {
    const double px = left + width * x.position(tick);
    svg.line({px, top + height}, {px, top + height + 4}, "axis");
    svg.text({px, top + height + 17}, format_number(tick), "muted", Anchor::middle);
  }
  svg.line({left, top + height}, {left + width, top + height}, "axis");
  if (!x_name.empty()) svg.text({left + width, top + height + 33}, x_name, "muted", Anchor::end);
  if (!y_name.empty()) svg.text({left, top - 9}, y_name, "muted");
}

}  // namespace aladdin::report
