// Axes of a chart: a box in an Svg, and the scales that put numbers into it.
#pragma once

#include <span>

#include "aladdin/report/svg.h"

namespace aladdin::report {

// "0.05", "1.2e-05", "14": as few characters as tell ticks apart.
std::string format_number(double value, int significant = 3);

struct Range {
  double low = 0, high = 1;

  void include(double value);
  bool empty() const { return low > high; }
  static Range nothing() { return {1e300, -1e300}; }
};

// A linear scale, or a logarithmic one where all values are positive.
struct Scale {
  Range range;
  bool logarithmic = false;

  // 0 … 1 over the range.
  double position(double value) const;
  std::vector<double> ticks(int about) const;
};
// Room around the values; never an empty range.
Scale scale_of(Range values, bool logarithmic = false);

struct Chart {
  double left, top, width, height;
  Scale x, y;

  PointXY at(double vx, double vy) const {
    return {left + width * x.position(vx), top + height * (1 - y.position(vy))};
  }
  std::vector<PointXY> at(std::span<const double> xs, std::span<const double> ys) const;
  // Grid lines, ticks and their numbers; names of the axes.
  void draw_axes(Svg& svg, std::string_view x_name, std::string_view y_name) const;
};

}  // namespace aladdin::report
