// Figures as SVG text. Colours are classes ("ink", "grid", "s0" … "s7"), so that a page gives them its
// theme; a file of its own carries kFigureStyle. Text is always escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aladdin/report/encode.h"

namespace aladdin::report {

struct PointXY {
  double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

class Svg {
 public:
  // `label` is what a screen reader says.
  Svg(double width, double height, std::string label);

  Svg& line(PointXY a, PointXY b, std::string_view style);
  Svg& polyline(const std::vector<PointXY>& points, std::string_view style);
  Svg& polygon(const std::vector<PointXY>& points, std::string_view style);
  Svg& rect(double x, double y, double w, double h, std::string_view style, double radius = 0);
  // `hover` is shown by the browser when the pointer rests there.
  Svg& circle(PointXY centre, double r, std::string_view style, std::string_view hover = "");
  // Many small dots as one path.
  Svg& dots(const std::vector<PointXY>& points, std::string_view style);
  Svg& text(PointXY at, std::string_view words, std::string_view style = "ink",
            Anchor anchor = Anchor::start);
  Svg& picture(double x, double y, double w, double h, const std::string& uri,
               std::string_view alt = "");
  // Drawings between the two are cut at this box.
  Svg& begin_clip(double x, double y, double w, double h);
  Svg& end_clip();

  double width() const { return width_; }
  double height() const { return height_; }
  // For a page, which has the classes.
  std::string inline_text() const;
  // For a file of its own.
  std::string standalone_text() const;

 private:
  std::string opening(bool standalone) const;

  double width_, height_;
  std::string label_, body_;
};

// One figure of a report.
struct Figure {
  std::string name;     // of its file: "training_energy"
  std::string title;    // above it
  std::string caption;  // below it, plain text
  Svg svg;
};

// At most so many characters, the last an ellipsis where something was cut; never inside one.
std::string shorten(std::string_view text, std::size_t most);

// "12", "0.25", "-1.5": no more digits than a pixel can show.
std::string coordinate(double value);

}  // namespace aladdin::report
