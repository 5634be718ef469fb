#include "accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "../paper/chart.h"
#include "aladdin/core/error.h"
#include "aladdin/core/files.h"

namespace aladdin::bench {
namespace {

struct Point {
  double minutes, step_seconds, dice;
};

}  // namespace

void write_accuracy(const std::string& csv, const std::string& folder) {
  std::ifstream in(csv);
  std::map<std::string, std::vector<Point>> curves;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string who, seconds, step, dice;
    if (!std::getline(cells, who, ',') || !std::getline(cells, seconds, ',') ||
        !std::getline(cells, step, ',') || !std::getline(cells, dice, ','))
      fail("'{}' has a line that is not who,seconds,step_seconds,bridge_dice: {}", csv, line);
    curves[who.substr(0, who.find(' '))].push_back(
        {std::stod(seconds) / 60, std::stod(step), std::stod(dice)});
  }
  if (curves.empty()) fail("'{}' has no figures", csv);
  std::string text = "| | minutes | a step | bridge Dice, val |\n|---|---:|---:|---:|\n";
  Panel panel{"Accuracy against time", "minutes", "bridge Dice, val", {}};
  for (auto& [who, points] : curves) {
    std::ranges::sort(points, {}, &Point::minutes);
    Curve curve{who, {}, {}, {}, {}};
    for (const auto& [minutes, step, dice] : points) {
      text += fmt::format("| {} | {:.1f} | {:.2f} s | {:.3f} |\n", who, minutes, step, dice);
      curve.x.push_back(minutes);
      curve.y.push_back(dice);
    }
    panel.curves.push_back(std::move(curve));
  }
  fmt::print("{}", text);
  write_text(folder + "/accuracy.md", text);
  write_text(folder + "/accuracy.svg", draw({panel}));
}

}  // namespace aladdin::bench
