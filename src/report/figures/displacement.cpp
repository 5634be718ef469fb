#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/text.h"
#include "aladdin/report/chart.h"
#include "aladdin/report/figures/figures.h"
#include "aladdin/report/plane_row.h"

namespace aladdin::report {

std::optional<Figure> displacement_lengths(const RunFindings& run) {
  if (!run.survey || run.survey->subjects.empty()) return std::nullopt;
  std::vector<const SubjectSurvey*> sorted;
  Range ys{0, 0};
  for (const auto& subject : run.survey->subjects) {
    sorted.push_back(&subject);
    ys.include(subject.max_mm);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return a->mean_mm < b->mean_mm; });
  Svg svg(440, 270, "Displacement of every subject");
  const Chart chart{50, 22, 378, 196, {{0, double(sorted.size()) + 1}}, {{0, 1.06 * ys.high}}};
  for (const double tick : chart.y.ticks(5)) {
    const double y = chart.at(0, tick).y;
    svg.line({chart.left, y}, {chart.left + chart.width, y}, tick == 0 ? "axis" : "grid");
    svg.text({chart.left - 6, y + 4}, format_number(tick), "muted", Anchor::end);
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const SubjectSurvey& s = *sorted[i];
    const double x = double(i) + 1;
    const std::string hover = fmt::format("{}: mean {:.2f} mm, largest {:.2f} mm",
                                          run.data.subjects[s.subject].id, s.mean_mm, s.max_mm);
    svg.line(chart.at(x, s.mean_mm), chart.at(x, s.max_mm), "grid");
    svg.circle(chart.at(x, s.max_mm), 2.4, "hollow s0", hover);
    svg.circle(chart.at(x, s.mean_mm), 3, "dot s0", hover);
  }
  svg.text({chart.left, 12}, "mm", "muted");
  svg.text({chart.left + chart.width, 236}, "subjects, sorted", "muted", Anchor::end);
  return Figure{
      "displacement", "How far the subjects moved",
      "Length of the displacement over the atlas's voxels, without the initial shift: mean (filled) "
      "and largest (hollow).",
      svg};
}

std::optional<Figure> centrality_map(const RunFindings& run) {
  if (!run.survey || !run.survey->centrality_mm) return std::nullopt;
  const Image& map = *run.survey->centrality_mm;
  const evaluate::CentralitySummary& centrality = run.survey->centrality;
  const double largest = centrality.max_mm;
  const double top = std::max(largest, 1e-9);
  const Vec3 through =
      run.survey->atlas_labels ? centroid_of(*run.survey->atlas_labels) : map.grid.centre();
  constexpr double kWidth = 440;
  const PlaneRow row(map.grid, through, kWidth);
  Svg svg(kWidth, row.height() + 40, "Mean displacement of the cohort");
  row.draw(svg, 0, 0, map, [&](float value, const Vec3&) { return sequential(value / top); });
  Picture bar(128, 1, {});
  for (int x = 0; x < bar.width; ++x) bar.at(x, 0) = sequential(x / 127.0);
  svg.picture(120, row.height() + 14, 200, 8, data_uri(bar));
  svg.text({112, row.height() + 22}, "0", "muted", Anchor::end);
  svg.text({328, row.height() + 22}, fmt::format("{} mm", format_number(largest, 2)), "muted");
  return Figure{
      "centrality", "Is the atlas in the middle?",
      fmt::format("Length of the mean displacement of {}: {:.4f} mm on average, {:.4f} mm at most. "
                  "An atlas in the middle of its cohort has 0 everywhere.",
                  counted(centrality.subjects, "training subject"), centrality.mean_mm, largest),
      svg};
}

}  // namespace aladdin::report
