#include <fmt/format.h>

#include <algorithm>

#include "aladdin/report/chart.h"
#include "aladdin/report/figures/figures.h"

namespace aladdin::report {
namespace {

struct Curve {
  const char* column;
  const char* title;
  const char* caption;
  bool logarithmic = false;
};

constexpr Curve kCurves[] = {
    {"val_bridge_dice", "Working-grid Dice in training",
     "Each validation subject labelled by the others through the atlas of that epoch, on the working "
     "grid. Higher is better. The bridge Dice of the finished atlas is on the subjects' own grids."},
    {"energy", "Energy", "Mean over the steps of an epoch, weighted as in the settings."},
    {"sim", "Similarity", "Atlas against image, unweighted. Lower is better."},
    {"image_pairs", "Pairs in image space", "Image against image through the atlas, unweighted."},
    {"atlas_pairs", "Pairs in atlas space", "Image against image on the atlas, unweighted."},
    {"dice", "Label term", "One minus the Dice of the training labels, unweighted."},
    {"reg", "Regularity", "Of the deformation, unweighted.", true},
    {"val_energy", "Validation energy", "Of the validation subjects. Lower is better."},
    {"val_folds", "Validation folds", "Voxels with a determinant below zero, both directions."},
    {"atlas_change", "Atlas change",
     "Root mean square of what an update changed, in units of the atlas (0 … 1).", true},
    {"rate", "Learning rate", "Of Adam."},
    {"gradient_norm", "Gradient norm", "Mean over the steps, before clipping.", true},
};

struct Series {
  std::vector<double> epochs, values;
  bool sparse = false;  // not at every epoch
};

Series series_of(const NumberTable& metrics, const char* column) {
  Series series;
  const auto* epochs = metrics.find("epoch");
  const auto* values = metrics.find(column);
  if (!epochs || !values) return series;
  for (std::size_t row = 0; row < values->size(); ++row) {
    if (!(*values)[row] || !(*epochs)[row]) continue;
    series.epochs.push_back(*(*epochs)[row]);
    series.values.push_back(*(*values)[row]);
  }
  series.sparse = series.values.size() < values->size();
  return series;
}

bool says_nothing(const Curve& curve, const std::vector<Series>& all) {
  const bool term = std::string_view(curve.column) != "val_folds";
  for (const Series& series : all)
    for (const double value : series.values)
      if (!term || value != 0) return false;
  return true;
}

// Where the pyramid goes from one grid to the next.
void draw_stages(Svg& svg, const Chart& chart, const NumberTable& metrics) {
  const Series stages = series_of(metrics, "coarsening");
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= stages.values.size(); ++i) {
    if (i < stages.values.size() && stages.values[i] == stages.values[begin]) continue;
    const double from = begin == 0 ? chart.x.range.low : stages.epochs[begin] - 0.5;
    const double to = i == stages.values.size() ? chart.x.range.high : stages.epochs[i] - 0.5;
    const double left = chart.at(from, chart.y.range.low).x;
    const double right = chart.at(to, chart.y.range.low).x;
    if (begin > 0) svg.line({left, chart.top}, {left, chart.top + chart.height}, "grid stage-edge");
    if (right - left > 34)
      svg.text({(left + right) / 2, chart.top - 5}, fmt::format("1/{:.0f}", stages.values[begin]),
               "muted small", Anchor::middle);
    begin = i;
  }
}

void draw_series(Svg& svg, const Chart& chart, const Series& series, std::size_t colour,
                 const std::string& name) {
  const std::string style = fmt::format("s{}", colour % 8);
  const auto points = chart.at(series.epochs, series.values);
  if (points.size() > 1) svg.polyline(points, "line " + style);
  const bool marked = series.sparse && points.size() <= 60;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (marked || i + 1 == points.size())
      svg.circle(points[i], 3, "dot " + style,
                 fmt::format("{}epoch {:.0f}: {}", name, series.epochs[i],
                             format_number(series.values[i], 5)));
}

// Names of the runs above the chart, wrapped.
double draw_legend(Svg& svg, std::span<const RunFindings> runs) {
  double x = 50, y = 14;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const double width = 22 + 7.0 * double(std::min<std::size_t>(runs[r].data.name.size(), 40));
    if (x > 50 && x + width > svg.width()) {
      x = 50;
      y += 16;
    }
    svg.rect(x, y - 8, 10, 10, fmt::format("dot s{}", r % 8), 2);
    svg.text({x + 15, y + 1}, shorten(runs[r].data.name, 40));
    x += width + 8;
  }
  return y + 10;
}

}  // namespace

std::vector<Figure> training_curves(std::span<const RunFindings> runs) {
  std::vector<Figure> figures;
  for (const Curve& curve : kCurves) {
    std::vector<Series> all;
    Range xs = Range::nothing(), ys = Range::nothing();
    for (const RunFindings& run : runs) {
      all.push_back(series_of(run.data.metrics, curve.column));
      for (const double x : series_of(run.data.metrics, "epoch").values) xs.include(x);
      for (const double y : all.back().values) ys.include(y);
    }
    if (says_nothing(curve, all)) continue;
    Svg svg(440, 250, fmt::format("{} over the epochs", curve.title));
    const double legend = runs.size() > 1 ? draw_legend(svg, runs) : 18;
    Chart chart{50,
                legend,
                378,
                250 - legend - 42,
                {{xs.low, std::max(xs.high, xs.low + 1)}},
                scale_of(ys, curve.logarithmic)};
    chart.draw_axes(svg, "epoch", "");
    if (runs.size() == 1) draw_stages(svg, chart, runs[0].data.metrics);
    for (std::size_t r = 0; r < all.size(); ++r)
      draw_series(svg, chart, all[r], r, runs.size() > 1 ? runs[r].data.name + ", " : "");
    figures.push_back({fmt::format("training_{}", curve.column), curve.title, curve.caption, svg});
  }
  return figures;
}

}  // namespace aladdin::report
