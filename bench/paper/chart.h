// Line charts as SVG: panels side by side, each with its own axes, curves with bands of uncertainty.
#pragma once

#include <string>
#include <vector>

namespace aladdin::bench {

struct Curve {
  std::string name;
  std::vector<double> x, y, low, high;  // low and high: a band, or empty
};

struct Panel {
  std::string title, x_name, y_name;
  std::vector<Curve> curves;
};

// Curves of the same name have the same colour in every panel.
std::string draw(const std::vector<Panel>& panels);

}  // namespace aladdin::bench
