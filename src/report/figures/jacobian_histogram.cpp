#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aladdin/report/chart.h"
#include "aladdin/report/figures/figures.h"

namespace aladdin::report {
namespace {

double quantile_of(std::vector<double> values, double q) {
  const auto at = std::lround(q * double(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

std::optional<Figure> jacobian_histogram(const RunFindings& run) {
  if (!run.survey || run.survey->subjects.empty()) return std::nullopt;
  constexpr int kBins = JacobianHistogram::kBins;
  std::vector<double> xs, mean(kBins, 0.0), low, high;
  Range ys{0, 0};
  for (int bin = 0; bin < kBins; ++bin) {
    std::vector<double> shares;
    for (const auto& subject : run.survey->subjects) shares.push_back(subject.histogram.share[bin]);
    for (const double share : shares) mean[bin] += 100 * share / double(shares.size());
    xs.push_back(JacobianHistogram::middle(bin));
    low.push_back(100 * quantile_of(shares, 0.05));
    high.push_back(100 * quantile_of(shares, 0.95));
    ys.include(high.back());
    ys.include(mean[bin]);
  }
  Svg svg(440, 270, "Histogram of the Jacobian determinant");
  const Chart chart{50,
                    22,
                    378,
                    196,
                    {{-JacobianHistogram::kReach, JacobianHistogram::kReach}},
                    {{0, 1.06 * ys.high}}};
  for (const double tick : chart.y.ticks(5)) {
    const double y = chart.at(0, tick).y;
    svg.line({chart.left, y}, {chart.left + chart.width, y}, "grid");
    svg.text({chart.left - 6, y + 4}, format_number(tick) + " %", "muted", Anchor::end);
  }
  for (const int power : {-2, -1, 0, 1, 2})
    svg.text({chart.at(power, 0).x, 234},
             power < 0 ? fmt::format("1/{}", 1 << -power) : fmt::format("{}", 1 << power), "muted",
             Anchor::middle);
  auto band = chart.at(xs, high);
  const auto bottom = chart.at(xs, low);
  band.insert(band.end(), bottom.rbegin(), bottom.rend());
  svg.polygon(band, "area s0");
  svg.line(chart.at(0, 0), chart.at(0, chart.y.range.high), "axis");
  svg.polyline(chart.at(xs, mean), "line s0");
  svg.text({chart.left, 12}, "shrinks", "muted");
  svg.text({chart.left + chart.width, 12}, "grows", "muted", Anchor::end);
  svg.text({chart.left + chart.width, 252}, "det J, logarithmic", "muted", Anchor::end);
  return Figure{"jacobian", "Local change of volume",
                "Share of the atlas's voxels by the determinant of the Jacobian. Line: mean of all "
                "subjects; band: 5 to 95 % of them. The outermost bins include everything beyond "
                "them, folds too.",
                svg};
}

std::optional<Figure> smallest_jacobians(const RunFindings& run) {
  struct Entry {
    double smallest, folds, folded_cells;
    const RunSubject* subject;
  };
  std::vector<Entry> entries;
  double folds = 0, cells = 0;
  for (const RunSubject& subject : run.data.subjects) {
    const auto smallest = run.data.score(subject, "smallest_jacobian");
    if (!smallest) continue;
    entries.push_back({*smallest, run.data.score(subject, "folds").value_or(0),
                       run.data.score(subject, "folded_cells").value_or(0), &subject});
    folds += entries.back().folds;
    cells += entries.back().folded_cells;
  }
  if (entries.empty()) return std::nullopt;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.smallest < b.smallest; });
  Range ys{0, 0};
  for (const Entry& entry : entries) ys.include(entry.smallest);
  Svg svg(440, 270, "Smallest Jacobian determinant of every subject");
  const Chart chart{50, 22, 378, 196, {{0, double(entries.size()) + 1}}, scale_of(ys)};
  for (const double tick : chart.y.ticks(5)) {
    const double y = chart.at(0, tick).y;
    svg.line({chart.left, y}, {chart.left + chart.width, y}, tick == 0 ? "axis" : "grid");
    svg.text({chart.left - 6, y + 4}, format_number(tick), "muted", Anchor::end);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& e = entries[i];
    svg.circle(chart.at(double(i) + 1, e.smallest), 3, e.smallest > 0 ? "dot s2" : "dot s1",
               fmt::format("{}: smallest {}, {:.0f} folds, {:.0f} folded cells", e.subject->id,
                           format_number(e.smallest), e.folds, e.folded_cells));
  }
  svg.text({chart.left, 12}, "det J", "muted");
  svg.text({chart.left + chart.width, 236}, "subjects, sorted", "muted", Anchor::end);
  return Figure{
      "folds", "How near to folding",
      fmt::format(
          "The smallest determinant of each subject, both directions. {:.0f} folded voxels and "
          "{:.0f} folded cells in {} subjects; a fold lies at or below 0.",
          folds, cells, entries.size()),
      svg};
}

}  // namespace aladdin::report
