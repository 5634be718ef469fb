#include <fmt/format.h>

#include <algorithm>

#include "aladdin/report/chart.h"
#include "aladdin/report/figures/figures.h"

namespace aladdin::report {
namespace {

constexpr double kRow = 30, kLeft = 150, kWidth = 640;
constexpr std::size_t kMostHovers = 4000;  // circles with a text; beyond, plain dots

struct Entry {
  double value;
  std::string id, split;
};

struct BoxRow {
  std::string name;
  std::vector<Entry> entries;
};

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * double(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - double(low)) * (sorted[high] - sorted[low]);
}

// Tukey's: whiskers reach the last value within 1.5 interquartile ranges of the box.
void draw_box(Svg& svg, const Chart& chart, double y, const BoxRow& row, std::size_t colour) {
  std::vector<double> sorted;
  for (const Entry& entry : row.entries) sorted.push_back(entry.value);
  std::sort(sorted.begin(), sorted.end());
  const double q1 = quantile(sorted, 0.25), q2 = quantile(sorted, 0.5), q3 = quantile(sorted, 0.75);
  const double reach = 1.5 * (q3 - q1);
  const double low = *std::lower_bound(sorted.begin(), sorted.end(), q1 - reach);
  const double high = *(std::upper_bound(sorted.begin(), sorted.end(), q3 + reach) - 1);
  const auto x = [&](double value) { return chart.at(value, 0).x; };
  const std::string style = fmt::format("s{}", colour % 8);
  svg.line({x(low), y}, {x(q1), y}, "line thin " + style);
  svg.line({x(q3), y}, {x(high), y}, "line thin " + style);
  svg.rect(x(q1), y - 9, std::max(1.0, x(q3) - x(q1)), 18, "box " + style, 2);
  svg.line({x(q2), y - 9}, {x(q2), y + 9}, "line " + style);
}

// Spread over the row by a fixed sequence, so that equal values do not hide each other.
double jitter(std::size_t i) { return 6 * (2 * (double(i * 2654435761U % 1000) / 1000) - 1); }

void draw_subjects(Svg& svg, const Chart& chart, double y, const BoxRow& row, std::size_t colour,
                   bool hovers) {
  const std::string style = fmt::format("s{}", colour % 8);
  std::vector<PointXY> plain;
  for (std::size_t i = 0; i < row.entries.size(); ++i) {
    const Entry& entry = row.entries[i];
    const PointXY at{chart.at(entry.value, 0).x, y + jitter(i)};
    if (!hovers) {
      plain.push_back(at);
      continue;
    }
    const bool held_out = entry.split == "val" || entry.split == "test";
    svg.circle(at, 2.6, (held_out ? "hollow " : "dot ") + style,
               fmt::format("{}{}: {:.4f}", entry.id, held_out ? " (" + entry.split + ")" : "",
                           entry.value));
  }
  if (!plain.empty()) svg.dots(plain, style);
}

Figure draw(const std::string& name, const std::string& title, const std::string& caption,
            const std::vector<BoxRow>& rows) {
  Range range = Range::nothing();
  std::size_t points = 0;
  for (const BoxRow& row : rows)
    for (const Entry& entry : row.entries) {
      range.include(entry.value);
      ++points;
    }
  const double height = 16 + kRow * double(rows.size()) + 40;
  Svg svg(kWidth, height, title);
  Scale scale = scale_of(range);
  scale.range.low = std::max(scale.range.low, -0.01);
  scale.range.high = std::min(scale.range.high, 1.01);
  const Chart chart{kLeft, 8, kWidth - kLeft - 66, kRow * double(rows.size()) + 4, scale, {{0, 1}}};
  for (const double tick : chart.x.ticks(6)) {
    const double x = chart.at(tick, 0).x;
    svg.line({x, chart.top}, {x, chart.top + chart.height}, "grid");
    svg.text({x, chart.top + chart.height + 16}, format_number(tick), "muted", Anchor::middle);
  }
  svg.text({chart.left + chart.width, chart.top + chart.height + 32}, "Dice", "muted", Anchor::end);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = chart.top + kRow * (double(r) + 0.55);
    svg.text({kLeft - 10, y + 4}, shorten(rows[r].name, 22), "ink", Anchor::end);
    if (rows[r].entries.empty()) continue;
    draw_box(svg, chart, y, rows[r], r);
    draw_subjects(svg, chart, y, rows[r], r, points <= kMostHovers);
    double sum = 0;
    for (const Entry& entry : rows[r].entries) sum += entry.value;
    svg.text({kWidth - 4, y + 4}, fmt::format("{:.3f}", sum / double(rows[r].entries.size())),
             "ink title", Anchor::end);
  }
  return {name, title, caption, svg};
}

BoxRow row_of(const evaluate::Evaluation& evaluation, const std::string& name,
              std::span<const evaluate::LabelIndex> structures) {
  BoxRow row{name, {}};
  for (const auto& subject : evaluation.subjects)
    if (const auto value = value_of(subject, evaluate::Measure::bridge, structures))
      row.entries.push_back({*value, subject.id, subject.split});
  return row;
}

}  // namespace

std::optional<Figure> dice_boxes(const RunFindings& run) {
  if (!run.evaluation) return std::nullopt;
  std::vector<BoxRow> rows;
  const auto all = rows_of(*run.evaluation, {});
  for (const auto& row : all) {
    const bool mean = row.name == "mean";
    const std::string name =
        mean ? "all structures" : run.data.label_name(run.evaluation->table[row.structures[0]]);
    rows.push_back(row_of(*run.evaluation, name, row.structures));
  }
  std::rotate(rows.begin(), rows.end() - 1, rows.end());  // the mean first
  return draw("dice", "Dice by structure",
              "Atlas as a bridge: every subject labelled by all others through the atlas. Boxes: "
              "quartiles; whiskers: 1.5 interquartile ranges; one dot per subject (hollow: val, "
              "test); on the right the mean.",
              rows);
}

std::optional<Figure> dice_of_runs(std::span<const RunFindings> runs) {
  std::vector<BoxRow> rows;
  for (const RunFindings& run : runs)
    if (run.evaluation) {
      const auto all = rows_of(*run.evaluation, {});
      const auto mean =
          std::find_if(all.begin(), all.end(), [](const auto& row) { return row.name == "mean"; });
      rows.push_back(row_of(*run.evaluation, run.data.name, mean->structures));
    }
  if (rows.empty()) return std::nullopt;
  return draw("dice_runs", "Dice by run", "Mean over the structures; one dot per subject.", rows);
}

}  // namespace aladdin::report
