#include "aladdin/report/atlas_page.h"

#include <cmath>

#include "aladdin/core/text.h"
#include "aladdin/report/encode.h"
#include "aladdin/report/html.h"
#include "aladdin/report/page_template.h"
#include "aladdin/report/plane_row.h"

namespace aladdin::report {
namespace {

constexpr int kPanel_px = 256;
constexpr int kGap_px = 4;
constexpr double kMostLogJacobian = .5;  // of the colours

Picture side_by_side(const std::vector<Picture>& panels) {
  int width = -kGap_px, height = 0;
  for (const Picture& panel : panels) {
    width += panel.width + kGap_px;
    height = std::max(height, panel.height);
  }
  Picture all(width, height, {0, 0, 0});
  int left = 0;
  for (const Picture& panel : panels) {
    const int top = (height - panel.height) / 2;
    for (int y = 0; y < panel.height; ++y)
      for (int x = 0; x < panel.width; ++x) all.at(left + x, top + y) = panel.at(x, y);
    left += panel.width + kGap_px;
  }
  return all;
}

std::vector<PlaneView> views_of(const Grid& grid, const Vec3& through) {
  const WorldBox box = world_box(grid);
  double longest = 0;
  for (int c = 0; c < grid.dims; ++c) longest = std::max(longest, box.high[c] - box.low[c]);
  std::vector<PlaneView> views;
  for (const Plane& plane : planes_for(grid.dims))
    views.push_back({plane, box, through, longest / kPanel_px});
  return views;
}

template <class Render>
std::string drawn(const std::vector<PlaneView>& views, const Render& render) {
  std::vector<Picture> panels;
  for (const PlaneView& view : views) panels.push_back(render(view));
  return data_uri(side_by_side(panels));
}

Json or_null(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(std::isfinite(value) ? Json(value) : Json());
  return out;
}

// The number that a page draws against: that of a sweep, else the first.
std::size_t drawn_number(const condition::Plan& plan) {
  return plan.group.numbers.empty() ? 0 : plan.group.numbers.size() - 1;
}

Json structures_json(const std::vector<condition::AtlasFacts>& facts,
                     const condition::Curves& curves) {
  Json out = Json::array();
  for (std::size_t s = 0; s < curves.structures.size(); ++s) {
    const condition::Curve& curve = curves.structures[s];
    std::vector<double> atlas, expected;
    for (const auto& one : facts) {
      atlas.push_back(one.volumes[s + 1]);
      expected.push_back(one.expected_volumes[s + 1]);
    }
    out.push_back({{"name", curve.name},
                   {"atlas", or_null(atlas)},
                   {"expected", or_null(expected)},
                   {"own", or_null(curve.own)},
                   {"regression", or_null(curve.regression)},
                   {"low", or_null(curve.low)},
                   {"high", or_null(curve.high)}});
  }
  return out;
}

Json data_json(const condition::RunSubjects& subjects, const condition::Plan& plan,
               const std::vector<condition::AtlasFacts>& facts, const condition::Curves& curves) {
  const auto number = static_cast<Eigen::Index>(drawn_number(plan));
  Json json{{"covariate", plan.group.numbers.empty() ? "" : plan.group.numbers[drawn_number(plan)]},
            {"unit", subjects.model().visible.dims == 2 ? "mm²" : "mm³"},
            {"atlases", Json::array()},
            {"ids", Json::array()},
            {"x", Json::array()},
            {"structures", structures_json(facts, curves)},
            {"bandwidth", Json::array()}};
  for (std::size_t a = 0; a < plan.atlases(); ++a) {
    json["atlases"].push_back({{"name", plan.group.names[a]}, {"subjects", plan.effective[a]}});
    if (!plan.group.numbers.empty()) json["atlases"].back()["at"] = plan.group.points[a][number];
  }
  for (const std::size_t m : curves.subjects) {
    json["ids"].push_back(subjects.subject(plan.group.members[m]).id);
    json["x"].push_back(plan.group.x(static_cast<Eigen::Index>(m), number));
  }
  if (plan.choice) {
    for (const auto& trial : plan.choice->trials)
      json["bandwidth"].push_back({trial.bandwidth[number], trial.error});
    json["chosen"] = plan.choice->best;
  }
  return json;
}

std::string format_few(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string tiles(const condition::RunSubjects& subjects, const condition::Plan& plan) {
  const auto [least, most] = std::ranges::minmax(plan.effective);
  std::string out = "<ul class=\"tiles\">\n";
  out += tile_html(fmt::format("{}", plan.group.members.size()), "subjects",
                   fmt::format("of {} for training", subjects.size()));
  out +=
      tile_html(plan.atlases() == 1 ? format_few(least)
                                    : fmt::format("{} – {}", format_few(least), format_few(most)),
                "behind the atlas", "effective number of subjects");
  for (std::size_t n = 0; n < plan.group.numbers.size(); ++n)
    out +=
        tile_html(format_few(plan.bandwidth[static_cast<Eigen::Index>(n)]), "bandwidth",
                  escape(plan.group.numbers[n]) + (plan.choice ? ", by leave-one-out" : ", given"));
  return out + "</ul>\n";
}

std::string table(const condition::RunSubjects& subjects, const condition::Plan& plan,
                  const std::vector<condition::AtlasFacts>& facts,
                  const condition::Curves& curves) {
  if (!subjects.has_labels())
    return "<p class=\"none\">The run has no labels, and so no volumes.</p>\n";
  const auto& names = subjects.record().cohort.label_names;
  const bool several = plan.atlases() > 1;
  HtmlTable out;
  out.caption = "Volumes";
  out.style = "sortable";
  const std::string unit = subjects.model().visible.dims == 2 ? "mm²" : "mm³";
  out.header = {"Structure", fmt::format("{}, {}", plan.group.names.front(), unit)};
  if (several) {
    out.header.push_back(fmt::format("{}, {}", plan.group.names.back(), unit));
    out.header.emplace_back("Change, %");
  }
  if (!curves.structures.empty())
    out.header.emplace_back(several ? "The subjects' change, %" : "The subjects'");
  out.numeric.assign(out.header.size(), true);
  out.numeric[0] = false;
  const auto change = [](double first, double last) {
    return first > 0 ? fmt::format("{:.1f}", 100 * (last / first - 1)) : std::string("–");
  };
  for (std::size_t k = 1; k < subjects.label_table().size(); ++k) {
    const auto name = names.find(subjects.label_table()[k]);
    const double first = facts.front().volumes[k], last = facts.back().volumes[k];
    std::vector<std::string> row{
        name == names.end() ? fmt::format("label {}", subjects.label_table()[k]) : name->second,
        format_few(first)};
    if (several) {
      row.push_back(format_few(last));
      row.push_back(change(first, last));
    }
    if (!curves.structures.empty()) {
      const auto& own = curves.structures[k - 1].regression;
      row.push_back(several ? change(own.front(), own.back()) : format_few(own.front()));
    }
    out.rows.push_back(std::move(row));
  }
  return to_html(out);
}

}  // namespace

void AtlasPage::add(const condition::Atlas& atlas) {
  if (pictures_.empty())
    through_ = atlas.labels ? centroid_of(*atlas.labels) : atlas.image.grid.centre();
  const auto views = views_of(atlas.image.grid, through_);
  const Window window{0, window_of(atlas.image).high};
  Pictures out;
  out.image = drawn(views, [&](const PlaneView& view) {
    return render_plane(atlas.image, nullptr, view, window);
  });
  if (atlas.labels)
    out.labels = drawn(views, [&](const PlaneView& view) {
      return render_plane(atlas.image, &*atlas.labels, view, window);
    });
  out.size = drawn(views, [&](const PlaneView& view) {
    return render_plane(atlas.log_jacobian, view, [](float value, const Vec3&) {
      return diverging(value / kMostLogJacobian);
    });
  });
  pictures_.push_back(std::move(out));
}

std::string AtlasPage::html(const condition::RunSubjects& subjects, const condition::Plan& plan,
                            const std::vector<condition::AtlasFacts>& facts,
                            const condition::Curves& curves) const {
  Json json = data_json(subjects, plan, facts, curves);
  for (std::size_t a = 0; a < pictures_.size(); ++a) {
    json["atlases"][a]["image"] = pictures_[a].image;
    if (!pictures_[a].labels.empty()) json["atlases"][a]["labels"] = pictures_[a].labels;
    json["atlases"][a]["size"] = pictures_[a].size;
  }
  json["most"] = std::exp(kMostLogJacobian);
  const std::string title = plan.question.sweep
                                ? fmt::format("Atlases over {}", plan.question.sweep->name)
                                : fmt::format("Atlas of {}", plan.group.names.front());
  return fill_template(
      atlas_page_template(),
      {{"TITLE", escape(title)},
       {"SUBTITLE", escape(subjects.run().folder.string())},
       {"HEAD", tiles(subjects, plan)},
       {"TABLE", table(subjects, plan, facts, curves)},
       {"DATA", fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n",
                            json_for_script(json))}});
}

}  // namespace aladdin::report
