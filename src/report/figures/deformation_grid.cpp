#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aladdin/report/figures/figures.h"
#include "aladdin/report/plane_row.h"

namespace aladdin::report {
namespace {

constexpr double kWidth = 640;
constexpr int kLines = 26;  // along the longer side of the widest plane

// The displacement at the nearest voxel.
Vec3 moved(const Displacement& displacement, const Mat3& to_index, const Vec3& point) {
  const Grid& grid = displacement.grid();
  const Vec3 index = to_index * (point - grid.origin);
  std::int64_t at[3] = {0, 0, 0};
  for (int axis = 0; axis < grid.dims; ++axis)
    at[axis] = std::clamp<std::int64_t>(std::llround(index[axis]), 0, grid.size[axis] - 1);
  const std::int64_t v = grid.offset(at[0], at[1], at[2]);
  Vec3 out = point;
  for (int c = 0; c < grid.dims; ++c) out[c] += displacement.vectors.component(c)[v];
  return out;
}

// Lines of equal distance, through the map.
void draw_grid(Svg& svg, const PlaneRow& row, std::size_t p, double y,
               const Displacement& displacement) {
  const PlaneView& view = row.views()[p];
  const Mat3 to_index = displacement.grid().point_to_index();
  const double step = double(std::max(view.width(), view.height())) / kLines;
  svg.begin_clip(row.left(p), y, row.width(p), row.height());
  const auto draw_lines = [&](double across, double along, bool vertical) {
    for (double c = step / 2; c < across; c += step) {
      std::vector<PointXY> points;
      for (double a = 0; a <= along + 0.01; a += std::max(1.0, step / 4)) {
        const Vec3 point = vertical ? view.point_at(c, a) : view.point_at(a, c);
        PointXY at = row.at(p, moved(displacement, to_index, point));
        at.y += y;
        points.push_back(at);
      }
      svg.polyline(points, "warp");
    }
  };
  draw_lines(view.width(), view.height(), true);
  draw_lines(view.height(), view.width(), false);
  svg.end_clip();
}

}  // namespace

std::vector<Figure> deformation_grids(const RunFindings& run) {
  std::vector<Figure> figures;
  if (!run.survey || run.survey->portraits.empty()) return figures;
  const Survey& survey = *run.survey;
  struct Choice {
    const char* name;
    const Portrait* portrait;
  };
  std::vector<Choice> choices;
  const auto choose = [&](const char* name, std::size_t subject) {
    if (const Portrait* portrait = survey.portrait(subject)) choices.push_back({name, portrait});
  };
  const auto& ranking = survey.ranking;
  choose("worst", ranking.front());
  if (ranking.size() > 2) choose("middle", ranking[ranking.size() / 2]);
  if (ranking.size() > 1) choose("best", ranking.back());
  const Vec3 through =
      survey.atlas_labels ? centroid_of(*survey.atlas_labels) : survey.atlas.grid.centre();
  const PlaneRow row(survey.atlas.grid, through, kWidth);
  for (const Choice& choice : choices) {
    const RunSubject& subject = run.data.subjects[choice.portrait->subject];
    Svg svg(kWidth, row.height(), fmt::format("Deformation grid of {}", subject.id));
    row.draw(svg, 0, 0, choice.portrait->view.before, Window{0, window_of(survey.atlas).high});
    for (std::size_t p = 0; p < row.views().size(); ++p)
      draw_grid(svg, row, p, 0, choice.portrait->view.displacement);
    figures.push_back(
        {fmt::format("grid_{}", choice.name),
         fmt::format("{}: the {} by {}", subject.id, choice.name, survey.ranked_by),
         "The atlas's grid where the transform takes it, on the image before registration; "
         "movements out of the plane are not visible.",
         svg});
  }
  return figures;
}

}  // namespace aladdin::report
