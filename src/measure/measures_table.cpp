#include "aladdin/measure/measures_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "aladdin/core/text.h"

namespace aladdin::measure {
namespace {

using Json = nlohmann::ordered_json;
using Column = std::pair<const char*, double StructureSize::*>;

constexpr std::array<Column, 4> kColumns{
    {{"volume", &StructureSize::volume},
     {"jacobian_volume", &StructureSize::jacobian_volume},
     {"log_jacobian", &StructureSize::log_jacobian},
     {"relative_log_jacobian", &StructureSize::relative_log_jacobian}}};

struct Spread {
  double mean = 0, sd = 0;
  int count = 0;
};

// Over the subjects that have a value; the standard deviation is that of a sample.
Spread spread(std::span<const SubjectMeasures> measures, std::size_t structure,
              double StructureSize::*column) {
  Spread out;
  double sum = 0, squares = 0;
  const auto each = [&](auto&& use) {
    for (const auto& subject : measures)
      if (const double value = subject.structures[structure].*column; !std::isnan(value))
        use(value);
  };
  each([&](double value) {
    sum += value;
    ++out.count;
  });
  if (out.count == 0) return out;
  out.mean = sum / out.count;
  each([&](double value) { squares += (value - out.mean) * (value - out.mean); });
  out.sd = out.count > 1 ? std::sqrt(squares / (out.count - 1)) : 0;
  return out;
}

std::string covariate_column(const std::string& name) {
  bool taken = name == "id" || name == "split" || name == "label" || name == "structure";
  for (const auto& [column, unused] : kColumns) taken = taken || name == column;
  return taken ? "cohort_" + name : name;
}

std::string number(double value) { return std::isnan(value) ? "" : fmt::format("{:.9g}", value); }

std::string cell(const Spread& s, int digits) {
  return s.count == 0 ? "-" : fmt::format("{:.{}f} ({:.{}f})", s.mean, digits, s.sd, digits);
}

}  // namespace

std::string to_csv(const evaluate::Source& source, std::span<const SubjectMeasures> measures) {
  std::string text = "id,split";
  for (const auto& name : source.covariates) text += "," + csv_field(covariate_column(name));
  text += ",label,structure";
  for (const auto& [name, unused] : kColumns) text += fmt::format(",{}", name);
  text += '\n';
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const SubjectMeasures& subject = measures[i];
    std::string start = csv_field(subject.id) + "," + csv_field(subject.split);
    for (const auto& name : source.covariates) {
      const auto& values = source.subjects[i].covariates;
      const auto found = values.find(name);
      start += "," + (found == values.end() ? "" : csv_field(found->second));
    }
    for (const StructureSize& structure : subject.structures) {
      text += fmt::format("{},{},{}", start, structure.label, csv_field(structure.name));
      for (const auto& [unused, column] : kColumns) text += "," + number(structure.*column);
      text += '\n';
    }
  }
  return text;
}

Json structures_json(std::span<const SubjectMeasures> measures) {
  Json out = Json::array();
  for (std::size_t k = 0; k < measures.front().structures.size(); ++k) {
    const StructureSize& first = measures.front().structures[k];
    Json structure{{"label", first.label}, {"name", first.name}};
    for (const auto& [name, column] : kColumns) {
      const Spread s = spread(measures, k, column);
      if (s.count == 0)
        structure[name] = nullptr;
      else
        structure[name] = {{"mean", s.mean}, {"sd", s.sd}, {"subjects", s.count}};
    }
    out.push_back(structure);
  }
  return out;
}

std::string to_text(std::span<const SubjectMeasures> measures, int dims) {
  std::size_t width = 9;
  for (const auto& structure : measures.front().structures)
    width = std::max(width, one_line(structure.name).size());
  const std::string unit = fmt::format("mm^{}", dims);
  std::string text = fmt::format("{:<{}}  {:>21}  {:>21}  {:>17}  {:>17}\n", "structure", width,
                                 "volume " + unit, "Jacobian " + unit, "log-Jacobian", "relative");
  for (std::size_t k = 0; k < measures.front().structures.size(); ++k)
    text += fmt::format("{:<{}}  {:>21}  {:>21}  {:>17}  {:>17}\n",
                        one_line(measures.front().structures[k].name), width,
                        cell(spread(measures, k, &StructureSize::volume), 1),
                        cell(spread(measures, k, &StructureSize::jacobian_volume), 1),
                        cell(spread(measures, k, &StructureSize::log_jacobian), 4),
                        cell(spread(measures, k, &StructureSize::relative_log_jacobian), 4));
  return text;
}

}  // namespace aladdin::measure
