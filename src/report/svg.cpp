#include "aladdin/report/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace aladdin::report {
namespace {

// Light colours; the page has its own for both themes (web/style.css).
constexpr const char* kFigureStyle = R"(
text{font:12px "DejaVu Sans",system-ui,sans-serif;fill:#1c2430}
.muted{fill:#5b6675}.title{font-weight:600}.small{font-size:10px}
.grid{stroke:#e3e7ec;fill:none}.axis{stroke:#8a94a2;fill:none}
.stage{fill:#f1f4f8}.frame{fill:none;stroke:#c9d0d9}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.thin{stroke-width:1}.warp{fill:none;stroke:#ffd23f;stroke-width:.9;stroke-opacity:.9}
.box{fill-opacity:.18;stroke-width:1.5}.dot{stroke:none;fill-opacity:.75}.hollow{fill:none;stroke-width:1.4}
.dots{fill:none;stroke-width:4;stroke-linecap:round;stroke-opacity:.6}.area{stroke:none;fill-opacity:.2}
.s0{stroke:#0072b2;fill:#0072b2}.s1{stroke:#d55e00;fill:#d55e00}.s2{stroke:#009e73;fill:#009e73}
.s3{stroke:#a2457d;fill:#a2457d}.s4{stroke:#3a93c9;fill:#3a93c9}.s5{stroke:#b57a00;fill:#b57a00}
.s6{stroke:#6a51a3;fill:#6a51a3}.s7{stroke:#5b6675;fill:#5b6675}
.line,.hollow,.dots{fill:none}.dot,.area{stroke:none}
)";

const char* anchor_name(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

std::string points_text(const std::vector<PointXY>& points) {
  std::string text;
  for (const PointXY& p : points)
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", coordinate(p.x), coordinate(p.y));
  return text;
}

}  // namespace

std::string coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string shorten(std::string_view text, std::size_t most) {
  std::size_t characters = 0, keep = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<std::uint8_t>(text[i]) & 0xC0) == 0x80) continue;  // inside a character
    if (++characters == most) keep = i;
    if (characters > most) return std::string(text.substr(0, keep)) + "\u2026";
  }
  return std::string(text);
}

Svg::Svg(double width, double height, std::string label)
    : width_(width), height_(height), label_(std::move(label)) {}

Svg& Svg::line(PointXY a, PointXY b, std::string_view style) {
  body_ += fmt::format(R"svg(<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>)svg",
                       coordinate(a.x), coordinate(a.y), coordinate(b.x), coordinate(b.y), style);
  return *this;
}

Svg& Svg::polyline(const std::vector<PointXY>& points, std::string_view style) {
  body_ += fmt::format(R"svg(<polyline points="{}" class="{}"/>)svg", points_text(points), style);
  return *this;
}

Svg& Svg::polygon(const std::vector<PointXY>& points, std::string_view style) {
  body_ += fmt::format(R"svg(<polygon points="{}" class="{}"/>)svg", points_text(points), style);
  return *this;
}

Svg& Svg::rect(double x, double y, double w, double h, std::string_view style, double radius) {
  body_ += fmt::format(R"svg(<rect x="{}" y="{}" width="{}" height="{}" rx="{}" class="{}"/>)svg",
                       coordinate(x), coordinate(y), coordinate(w), coordinate(h),
                       coordinate(radius), style);
  return *this;
}

Svg& Svg::circle(PointXY centre, double r, std::string_view style, std::string_view hover) {
  const std::string inside = hover.empty() ? "" : "<title>" + escape(hover) + "</title>";
  body_ += fmt::format(R"svg(<circle cx="{}" cy="{}" r="{}" class="{}">{}</circle>)svg",
                       coordinate(centre.x), coordinate(centre.y), coordinate(r), style, inside);
  return *this;
}

Svg& Svg::dots(const std::vector<PointXY>& points, std::string_view style) {
  std::string path;
  for (const PointXY& p : points) path += fmt::format("M{} {}h0", coordinate(p.x), coordinate(p.y));
  body_ += fmt::format(R"svg(<path d="{}" class="dots {}"/>)svg", path, style);
  return *this;
}

Svg& Svg::text(PointXY at, std::string_view words, std::string_view style, Anchor anchor) {
  body_ +=
      fmt::format(R"svg(<text x="{}" y="{}" text-anchor="{}" class="{}">{}</text>)svg",
                  coordinate(at.x), coordinate(at.y), anchor_name(anchor), style, escape(words));
  return *this;
}

Svg& Svg::picture(double x, double y, double w, double h, const std::string& uri,
                  std::string_view alt) {
  const std::string inside = alt.empty() ? "" : "<title>" + escape(alt) + "</title>";
  body_ += fmt::format(
      R"svg(<image x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" href="{}">{}</image>)svg",
      coordinate(x), coordinate(y), coordinate(w), coordinate(h), uri, inside);
  return *this;
}

// The name is made of the box: equal names mean equal boxes, also beside other figures on a page.
Svg& Svg::begin_clip(double x, double y, double w, double h) {
  const std::string name = fmt::format(
      "c{:x}", std::hash<std::string>{}(fmt::format("{:.3f} {:.3f} {:.3f} {:.3f}", x, y, w, h)));
  body_ += fmt::format(
      R"svg(<clipPath id="{0}"><rect x="{1}" y="{2}" width="{3}" height="{4}"/></clipPath><g clip-path="url(#{0})">)svg",
      name, coordinate(x), coordinate(y), coordinate(w), coordinate(h));
  return *this;
}

Svg& Svg::end_clip() {
  body_ += "</g>";
  return *this;
}

std::string Svg::opening(bool standalone) const {
  return fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg"{} viewBox="0 0 {} {}" role="img" aria-label="{}">)svg",
      standalone
          ? fmt::format(R"( width="{}" height="{}")", coordinate(width_), coordinate(height_))
          : "",
      coordinate(width_), coordinate(height_), escape(label_));
}

std::string Svg::inline_text() const { return opening(false) + body_ + "</svg>"; }

std::string Svg::standalone_text() const {
  return opening(true) + "<style>" + kFigureStyle +
         R"svg(</style><rect width="100%" height="100%" fill="#fff"/>)svg" + body_ + "</svg>\n";
}

}  // namespace aladdin::report
