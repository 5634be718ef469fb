// The planes of a volume side by side in a figure, with one scale in mm.
#pragma once

#include "aladdin/report/slices.h"
#include "aladdin/report/svg.h"

namespace aladdin::report {

class PlaneRow {
 public:
  // All planes through a point, `width` wide together.
  PlaneRow(const Grid& grid, const Vec3& through, double width);

  double height() const { return height_; }
  const std::vector<PlaneView>& views() const { return views_; }
  // Where plane `p` begins.
  double left(std::size_t p) const;
  double width(std::size_t p) const { return views_[p].width() * scale_; }

  // With its top left corner at (x, y).
  void draw(Svg& svg, double x, double y, const Image& image, const Window& window,
            const Labels* labels = nullptr, std::string_view alt = "") const;
  void draw(Svg& svg, double x, double y, const Image& image, const Painter& paint,
            std::string_view alt = "") const;
  // A point of plane `p` in the figure, relative to the row's corner.
  PointXY at(std::size_t p, const Vec3& point) const;

 private:
  static constexpr double kGap = 4;
  std::vector<PlaneView> views_;
  double scale_ = 1, height_ = 0;
};

// Blue below 0, white at 0, orange above: -1 … 1.
Colour diverging(double value);
// Dark blue to yellow (cividis, which the colour-blind read as others do): 0 … 1.
Colour sequential(double value);

}  // namespace aladdin::report
