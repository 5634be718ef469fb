#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aladdin/report/chart.h"
#include "aladdin/report/figures/figures.h"
#include "aladdin/report/plane_row.h"

namespace aladdin::report {
namespace {

constexpr double kColumn = 300, kGap = 14, kCaption = 34;

std::string score_text(const RunFindings& run, const RunSubject& subject) {
  if (run.evaluation)
    for (const auto& scores : run.evaluation->subjects)
      if (scores.id == subject.id && scores.bridge.mean)
        return fmt::format("Dice {:.3f}", *scores.bridge.mean);
  const auto energy = run.data.score(subject, "energy");
  return energy ? fmt::format("energy {}", format_number(*energy)) : "";
}

}  // namespace

std::optional<Figure> worst_subjects(const RunFindings& run) {
  if (!run.survey || run.survey->portraits.empty()) return std::nullopt;
  const Survey& survey = *run.survey;
  const Vec3 through =
      survey.atlas_labels ? centroid_of(*survey.atlas_labels) : survey.atlas.grid.centre();
  const PlaneRow row(survey.atlas.grid, through, kColumn);
  const Window window{0, window_of(survey.atlas).high};
  std::vector<const Portrait*> worst;
  for (std::size_t i = 0; i < std::min(kWorst, survey.ranking.size()); ++i)
    if (const Portrait* portrait = survey.portrait(survey.ranking[i])) worst.push_back(portrait);
  const std::size_t count = worst.size();
  if (count == 0) return std::nullopt;
  const double step = row.height() + kCaption + kGap;
  Svg svg(3 * kColumn + 2 * kGap, double(count) * step, "The worst subjects");
  for (std::size_t i = 0; i < count; ++i) {
    const SubjectView& view = worst[i]->view;
    const RunSubject& subject = run.data.subjects[worst[i]->subject];
    const double y = double(i) * step;
    Image difference = view.after;
    for (std::size_t v = 0; v < difference.values.size(); ++v)
      difference.values[v] -= survey.atlas.values[v];
    svg.text({0, y + 13}, shorten(subject.id, 48), "ink title");
    svg.text({3 * kColumn + 2 * kGap, y + 13}, score_text(run, subject), "ink title", Anchor::end);
    const double x1 = kColumn + kGap, x2 = 2 * (kColumn + kGap);
    for (const auto& [x, words] : {std::pair{0.0, "before"}, {x1, "after"}, {x2, "after - atlas"}})
      svg.text({x, y + 29}, words, "muted");
    row.draw(svg, 0, y + kCaption, view.before, window);
    row.draw(svg, x1, y + kCaption, view.after, window);
    row.draw(svg, x2, y + kCaption, difference,
             [](float value, const Vec3&) { return diverging(2.0 * value); });
  }
  constexpr const char* kCounts[] = {"none", "one", "two", "three", "four", "five"};
  return Figure{"worst", fmt::format("The worst {} by {}", kCounts[count], survey.ranked_by),
                "Blue: darker than the atlas; orange: brighter; full colour at half of the range.",
                svg};
}

}  // namespace aladdin::report
