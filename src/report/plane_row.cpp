#include "aladdin/report/plane_row.h"

#include <algorithm>
#include <cmath>

namespace aladdin::report {
namespace {

Colour between(const Colour& a, const Colour& b, double t) {
  Colour out;
  for (int c = 0; c < 3; ++c)
    out[c] = static_cast<std::uint8_t>(std::lround(a[c] + t * (double(b[c]) - a[c])));
  return out;
}

}  // namespace

PlaneRow::PlaneRow(const Grid& grid, const Vec3& through, double width) {
  double finest = grid.spacing[0];
  for (int axis = 1; axis < grid.dims; ++axis) finest = std::min(finest, grid.spacing[axis]);
  const WorldBox box = world_box(grid);
  int pixels = 0, tallest = 0;
  for (const Plane& plane : planes_for(grid.dims)) {
    views_.push_back({plane, box, through, finest});
    pixels += views_.back().width();
    tallest = std::max(tallest, views_.back().height());
  }
  scale_ = (width - kGap * double(views_.size() - 1)) / pixels;
  height_ = tallest * scale_;
}

double PlaneRow::left(std::size_t p) const {
  double x = 0;
  for (std::size_t q = 0; q < p; ++q) x += views_[q].width() * scale_ + kGap;
  return x;
}

PointXY PlaneRow::at(std::size_t p, const Vec3& point) const {
  const auto pixel = views_[p].pixel_of(point);
  const double top = (height_ - views_[p].height() * scale_) / 2;
  return {left(p) + pixel[0] * scale_, top + pixel[1] * scale_};
}

void PlaneRow::draw(Svg& svg, double x, double y, const Image& image, const Painter& paint,
                    std::string_view alt) const {
  for (std::size_t p = 0; p < views_.size(); ++p) {
    const Picture picture = render_plane(image, views_[p], paint);
    const double height = views_[p].height() * scale_;
    svg.picture(x + left(p), y + (height_ - height) / 2, width(p), height, data_uri(picture), alt);
  }
}

void PlaneRow::draw(Svg& svg, double x, double y, const Image& image, const Window& window,
                    const Labels* labels, std::string_view alt) const {
  for (std::size_t p = 0; p < views_.size(); ++p) {
    const Picture picture = render_plane(image, labels, views_[p], window);
    const double height = views_[p].height() * scale_;
    svg.picture(x + left(p), y + (height_ - height) / 2, width(p), height, data_uri(picture), alt);
  }
}

Colour diverging(double value) {
  const double t = std::clamp(std::abs(value), 0.0, 1.0);
  constexpr Colour kWhite{245, 245, 245}, kBlue{20, 88, 170}, kOrange{200, 82, 0};
  return between(kWhite, value < 0 ? kBlue : kOrange, t);
}

Colour sequential(double value) {
  static constexpr Colour kStops[] = {{0, 32, 77},     {46, 65, 108},   {87, 93, 109},
                                      {124, 123, 120}, {166, 157, 117}, {211, 194, 94},
                                      {255, 234, 70}};
  constexpr int kLast = static_cast<int>(std::size(kStops)) - 1;
  const double at = std::clamp(value, 0.0, 1.0) * kLast;
  const int low = std::min(static_cast<int>(at), kLast - 1);
  return between(kStops[low], kStops[low + 1], at - low);
}

}  // namespace aladdin::report
