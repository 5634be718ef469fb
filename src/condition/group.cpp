#include "aladdin/condition/group.h"

#include <algorithm>
#include <numeric>

#include "aladdin/condition/selection.h"
#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/stats/covariate.h"

namespace aladdin::condition {
namespace {

std::vector<std::string> names_of(const Question& question) {
  std::vector<std::string> names;
  if (!question.where.empty()) names = names_in(question.where);
  for (const auto& one : question.at) names.push_back(one.name);
  if (question.sweep) names.push_back(question.sweep->name);
  return names;
}

std::vector<std::size_t> complete_lines(const Question& question, const stats::Table& table) {
  const auto names = names_of(question);
  for (const auto& name : names) table.column(name);
  std::vector<std::size_t> lines;
  for (std::size_t s = 0; s < table.ids.size(); ++s)
    if (!question.drop_missing || std::none_of(names.begin(), names.end(), [&](const auto& name) {
          return table.column(name)[s].empty();
        }))
      lines.push_back(s);
  if (lines.empty())
    throw Error("every subject lacks a value of a covariate that is asked for", ExitCode::usage)
        .hint("complete the table");
  return lines;
}

stats::Table lines_of(const stats::Table& table, const std::vector<std::size_t>& lines) {
  std::vector<std::string> ids;
  for (const std::size_t s : lines) ids.push_back(table.ids[s]);
  return stats::select_rows(table, ids);
}

std::string condition_of(const Question& question, const std::vector<Coordinate>& categories) {
  std::string text = question.where;
  for (const auto& one : categories)
    text += fmt::format("{}{}={}", text.empty() ? "" : " and ", one.name, one.value);
  return text;
}

// The numbers of --at and --sweep, the latter last; the value of one that is swept is filled in later.
struct Axis {
  std::string name;
  double at = 0;
};

class Finder {
 public:
  Finder(const Question& question, const stats::Table& table)
      : question_(question),
        lines_(complete_lines(question, table)),
        table_(lines_of(table, lines_)) {
    out_.dropped = table.ids.size() - lines_.size();
  }

  Group find() {
    const std::string advice = fmt::format("complete the table, or omit these subjects with {}",
                                           option_name("drop_missing"));
    for (const auto& name : names_of(question_)) stats::require_values(name, table_, advice);
    split_coordinates();
    keep_members();
    regress();
    return std::move(out_);
  }

 private:
  void split_coordinates() {
    for (const auto& one : question_.at) {
      const auto& values = table_.column(one.name);
      if (one.category || !stats::is_number(values)) {
        stats::require_level(one.name, values, one.value);
        categories_.push_back(one);
        continue;
      }
      const auto number = parse_number(one.value);
      if (!number)
        throw Error(fmt::format("'{}' is a number, and '{}' is none", one_line(one.name),
                                one_line(one.value)),
                    ExitCode::usage)
            .hint(fmt::format("give one, such as {}={}", one.name, values.front()));
      axes_.push_back({one.name, *number});
    }
    if (!question_.sweep) return;
    const std::string& name = question_.sweep->name;
    if (!stats::is_number(table_.column(name)))
      throw Error(fmt::format("'{}' is a category: there is nothing to sweep", name),
                  ExitCode::usage)
          .hint(fmt::format("make one atlas for each of its values with {}", option_name("at")));
    for (const auto& axis : axes_)
      if (axis.name == name)
        fail_usage("'{}' is both fixed by {} and swept", name, option_name("at"));
    axes_.push_back({name, 0});
  }

  void keep_members() {
    std::vector<bool> kept(lines_.size(), true);
    if (!question_.where.empty()) kept = select_subjects(question_.where, table_).holds;
    for (const auto& one : categories_) {
      const auto& values = table_.column(one.name);
      for (std::size_t s = 0; s < kept.size(); ++s) kept[s] = kept[s] && values[s] == one.value;
    }
    for (std::size_t s = 0; s < kept.size(); ++s)
      if (kept[s]) places_.push_back(s);
    const std::string group = condition_of(question_, categories_);
    if (places_.size() < 2)
      throw Error(places_.empty() ? fmt::format("no training subject has {}", group)
                                  : fmt::format("only one training subject has {}: '{}'", group,
                                                table_.ids[places_.front()]),
                  ExitCode::usage)
          .hint("an atlas needs at least two subjects: ask for a wider group");
    for (const std::size_t s : places_) out_.members.push_back(lines_[s]);
  }

  void regress() {
    const auto n = static_cast<Eigen::Index>(places_.size());
    out_.x.resize(n, static_cast<Eigen::Index>(axes_.size()));
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const auto& values = table_.column(axes_[a].name);
      for (Eigen::Index i = 0; i < n; ++i)
        out_.x(i, static_cast<Eigen::Index>(a)) = *parse_number(values[places_[i]]);
      out_.numbers.push_back(axes_[a].name);
      require_varying(static_cast<Eigen::Index>(a));
    }
    const std::vector<double> once{0};
    for (const double value : question_.sweep ? question_.sweep->values : once) add_point(value);
  }

  void require_varying(Eigen::Index a) const {
    const double low = out_.x.col(a).minCoeff(), high = out_.x.col(a).maxCoeff();
    if (low < high) return;
    throw Error(
        fmt::format("'{}' is {:g} for every subject of the group: an atlas cannot depend on it",
                    out_.numbers[a], low),
        ExitCode::usage)
        .hint("omit it, or ask for a wider group");
  }

  void add_point(double swept) {
    Eigen::VectorXd point(out_.x.cols());
    std::string name;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const bool is_swept = question_.sweep && a + 1 == axes_.size();
      point[static_cast<Eigen::Index>(a)] = is_swept ? swept : axes_[a].at;
      require_inside(static_cast<Eigen::Index>(a), point[static_cast<Eigen::Index>(a)]);
      name += fmt::format("{}{}={:g}", name.empty() ? "" : ",", axes_[a].name,
                          point[static_cast<Eigen::Index>(a)]);
    }
    for (const auto& one : categories_)
      name += fmt::format("{}{}={}", name.empty() ? "" : ",", one.name, one.value);
    if (!question_.where.empty())
      name += name.empty() ? question_.where : fmt::format(" where {}", question_.where);
    out_.names.push_back(name.empty() ? "everybody" : name);
    out_.folders.push_back(question_.sweep ? fmt::format("{}-{:g}", axes_.back().name, swept) : "");
    out_.points.push_back(std::move(point));
  }

  void require_inside(Eigen::Index a, double value) const {
    const double low = out_.x.col(a).minCoeff(), high = out_.x.col(a).maxCoeff();
    if (question_.extrapolate || (value >= low && value <= high)) return;
    throw Error(fmt::format("{}={:g} is outside the range of the {} behind it, {:g} to {:g}",
                            out_.numbers[a], value,
                            counted(static_cast<long long>(places_.size()), "subject"), low, high),
                ExitCode::usage)
        .hint(fmt::format("ask inside it, or extrapolate with {}", option_name("extrapolate")));
  }

  const Question& question_;
  std::vector<std::size_t> lines_;
  stats::Table table_;  // the complete lines
  std::vector<Coordinate> categories_;
  std::vector<Axis> axes_;
  std::vector<std::size_t> places_;  // of the members in table_
  Group out_;
};

}  // namespace

Group find_group(const Question& question, const stats::Table& table) {
  return Finder(question, table).find();
}

}  // namespace aladdin::condition
