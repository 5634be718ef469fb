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

// "Aladdin 16/2", a sixteenth of the time with the seed 2, belongs to the curve of this seed.
std::string curve_of(const std::string& who) {
  const auto seed = who.find('/');
  if (seed == std::string::npos) return who;
  return fmt::format("{}, {}", who.substr(0, who.find(' ')), who.substr(seed + 1));
}

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
    curves[curve_of(who)].push_back({std::stod(seconds) / 60, std::stod(step), std::stod(dice)});
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
