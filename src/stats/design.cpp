#include "aladdin/stats/design.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/stats/covariate.h"

namespace aladdin::stats {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct Columns {
  std::vector<std::string> names, reference;
  std::vector<VectorXd> values;
  bool number = false;
};

[[noreturn]] void fail_design(const std::string& what, const std::string& advice) {
  throw Error(what, ExitCode::usage).hint(advice);
}

Columns number_columns(const Factor& factor, const std::vector<std::string>& values) {
  Columns columns;
  columns.number = true;
  VectorXd number(static_cast<Index>(values.size()));
  for (std::size_t s = 0; s < values.size(); ++s)
    number[static_cast<Index>(s)] = *parse_number(values[s]);
  if (number.maxCoeff() == number.minCoeff())
    fail_design(fmt::format("'{}' is {} for every subject and explains nothing", factor.name,
                            values.front()),
                "leave it out of the model");
  number.array() -= number.mean();
  columns.names.push_back(Term{{factor}}.text());
  columns.values.emplace_back(number.array().pow(factor.power));
  return columns;
}

Columns category_columns(const Factor& factor, const std::vector<std::string>& values) {
  if (factor.power > 1)
    fail_design(fmt::format("'{}' is a category and has no power {}", factor.name, factor.power),
                fmt::format("write '{}' alone", factor.name));
  const std::set<std::string> levels(values.begin(), values.end());
  if (levels.size() < 2)
    fail_design(fmt::format("'{}' is '{}' for every subject and explains nothing", factor.name,
                            values.front()),
                "leave it out of the model");
  if (!factor.category && levels.size() > values.size() / 2 && levels.size() > 10)
    fail_design(
        fmt::format("'{}' has {} different values among {} subjects: too many for a category",
                    factor.name, levels.size(), values.size()),
        fmt::format("correct it if it should be a number, else write C({})", factor.name));
  Columns columns;
  for (const auto& level : levels) {
    const std::string name = fmt::format("{}[{}]", factor.name, level);
    if (level == *levels.begin()) {
      columns.reference.push_back(name);
      continue;
    }
    VectorXd member(static_cast<Index>(values.size()));
    for (std::size_t s = 0; s < values.size(); ++s)
      member[static_cast<Index>(s)] = values[s] == level ? 1 : 0;
    columns.names.push_back(name);
    columns.values.push_back(std::move(member));
  }
  return columns;
}

Columns factor_columns(const Factor& factor, const Table& table) {
  require_values(factor.name, table);
  const auto& values = table.column(factor.name);
  return !factor.category && is_number(values) ? number_columns(factor, values)
                                               : category_columns(factor, values);
}

Columns product(const Columns& one, const Columns& other) {
  Columns all;
  for (std::size_t a = 0; a < one.names.size(); ++a)
    for (std::size_t b = 0; b < other.names.size(); ++b) {
      all.names.push_back(one.names[a] + ":" + other.names[b]);
      all.values.emplace_back(one.values[a].cwiseProduct(other.values[b]));
    }
  return all;
}

Columns term_columns(const Term& term, const Table& table) {
  Columns columns = factor_columns(term.factors.front(), table);
  for (std::size_t f = 1; f < term.factors.size(); ++f)
    columns = product(columns, factor_columns(term.factors[f], table));
  return columns;
}

Index rank_of(const Eigen::MatrixXd& matrix) {
  // Columns of unit length: a covariate in mm³ must not hide one in years.
  Eigen::MatrixXd scaled = matrix;
  for (Index c = 0; c < scaled.cols(); ++c)
    if (const double norm = scaled.col(c).norm(); norm > 0) scaled.col(c) /= norm;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
  qr.setThreshold(1e-9);
  return qr.rank();
}

void require_rank(const Design& design) {
  if (design.subjects() <= design.matrix.cols()) {
    const auto widest = std::max_element(
        design.terms.begin(), design.terms.end(),
        [](const DesignTerm& a, const DesignTerm& b) { return a.count < b.count; });
    fail_design(fmt::format("{} are too few for the {} columns of the model{}",
                            counted(design.subjects(), "subject"), design.matrix.cols(),
                            widest->count > 1 ? fmt::format(", {} of them those of '{}'",
                                                            widest->count, widest->name)
                                              : ""),
                "leave terms out of the model, or add subjects");
  }
  for (const auto& term : design.terms) {
    const Index before = term.first, after = term.first + term.count;
    if (rank_of(design.matrix.leftCols(after)) == after) continue;
    std::vector<std::string> others(design.columns.begin(), design.columns.begin() + before);
    fail_design(
        fmt::format(
            "the term '{}' is a combination of the terms before it ({}), so their effects cannot be "
            "told apart",
            term.name, fmt::join(others, ", ")),
        fmt::format("leave '{}' or one of the others out of the model", term.name));
  }
}

}  // namespace

std::vector<std::string> incomplete_subjects(const Formula& formula, const Table& table) {
  std::vector<std::string> incomplete;
  for (std::size_t s = 0; s < table.ids.size(); ++s) {
    const auto lacks = [&](const Factor& factor) { return table.column(factor.name)[s].empty(); };
    if (std::any_of(formula.terms.begin(), formula.terms.end(), [&](const Term& term) {
          return std::any_of(term.factors.begin(), term.factors.end(), lacks);
        }))
      incomplete.push_back(table.ids[s]);
  }
  return incomplete;
}

Design make_design(const Formula& formula, const Table& table) {
  if (table.ids.empty()) fail("there are no subjects to model");
  Design design;
  design.ids = table.ids;
  const auto n = static_cast<Index>(table.ids.size());
  std::vector<VectorXd> values{VectorXd::Ones(n)};
  design.columns.push_back("intercept");
  design.terms.push_back({"intercept", 0, 1, {}, false});
  for (const auto& term : formula.terms) {
    Columns columns = term_columns(term, table);
    design.terms.push_back({term.text(), static_cast<Index>(values.size()),
                            static_cast<Index>(columns.values.size()), columns.reference,
                            columns.number && term.factors.size() == 1});
    design.columns.insert(design.columns.end(), columns.names.begin(), columns.names.end());
    values.insert(values.end(), columns.values.begin(), columns.values.end());
  }
  design.matrix.resize(n, static_cast<Index>(values.size()));
  for (std::size_t c = 0; c < values.size(); ++c)
    design.matrix.col(static_cast<Index>(c)) = values[c];
  require_rank(design);
  return design;
}

namespace {

// "+ 2*age - sex[M]" as signed pieces; brackets may hold anything.
struct Piece {
  double factor = 1;
  std::string column;
};

std::vector<Piece> split_combination(const std::string& test) {
  std::vector<Piece> pieces;
  int depth = 0;
  double sign = 1;
  std::string word;
  const auto end_piece = [&] {
    const std::string text = trim(word);
    word.clear();
    if (text.empty()) return;
    Piece piece{sign, text};
    if (const auto star = text.find('*'); star != std::string::npos)
      if (const auto number = parse_number(trim(text.substr(0, star)))) {
        piece.factor *= *number;
        piece.column = trim(text.substr(star + 1));
      }
    pieces.push_back(piece);
  };
  for (const char c : test) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (depth == 0 && (c == '+' || c == '-')) {
      end_piece();
      sign = c == '+' ? 1 : -1;
    } else {
      word += c;
    }
  }
  end_piece();
  return pieces;
}

bool is_reference(const Design& design, const std::string& column) {
  return std::any_of(design.terms.begin(), design.terms.end(), [&](const DesignTerm& term) {
    const auto& names = term.reference_columns;
    return std::find(names.begin(), names.end(), column) != names.end();
  });
}

// A term as it may stand in the formula, C(site) or `odd name`, by its name.
std::string plain_name(const std::string& test) {
  std::string name = trim(test);
  std::erase(name, '`');
  for (auto at = name.find("C("); at != std::string::npos; at = name.find("C(", at)) {
    const auto end = name.find(')', at);
    if (end == std::string::npos) break;
    name.erase(end, 1).erase(at, 2);
  }
  return name;
}

[[noreturn]] void unknown_test(const Design& design, const std::string& test) {
  std::vector<std::string> names;
  for (const auto& term : design.terms) names.push_back(term.name);
  for (const auto& column : design.columns)
    if (std::find(names.begin(), names.end(), column) == names.end()) names.push_back(column);
  const std::string nearest = did_you_mean(test, names);
  fail_design(
      fmt::format("'{}' is no term of the model; it has {}", test, fmt::join(names, ", ")),
      nearest.empty() ? "test a term, or a combination such as 'group[b] - group[c]'" : nearest);
}

}  // namespace

Contrast make_contrast(const Design& design, const std::string& test) {
  Contrast contrast{plain_name(test), {}};
  const std::string wanted = contrast.name == "1" ? "intercept" : contrast.name;
  for (const auto& term : design.terms) {
    if (term.name != wanted) continue;
    contrast.weights = Eigen::MatrixXd::Zero(term.count, design.matrix.cols());
    for (Index r = 0; r < term.count; ++r) contrast.weights(r, term.first + r) = 1;
    return contrast;
  }
  contrast.weights = Eigen::MatrixXd::Zero(1, design.matrix.cols());
  for (const auto& piece : split_combination(wanted)) {
    const auto found = std::find(design.columns.begin(), design.columns.end(), piece.column);
    if (found != design.columns.end())
      contrast.weights(0, found - design.columns.begin()) += piece.factor;
    else if (!is_reference(design, piece.column))
      unknown_test(design, piece.column);
  }
  if (contrast.weights.isZero())
    fail_design(fmt::format("the test '{}' asks nothing: all its weights are 0", test),
                "a category's first level is the reference that the others are compared with");
  return contrast;
}

std::string to_text(const Design& design) {
  constexpr Index kShown = 4;
  std::size_t width = 4;
  for (const auto& id : design.ids) width = std::max(width, std::min<std::size_t>(id.size(), 24));
  std::string text = fmt::format("{:<{}}", "id", width);
  for (const auto& column : design.columns)
    text += fmt::format("  {:>{}}", column, std::max<std::size_t>(9, column.size()));
  text += "\n";
  for (Index s = 0; s < std::min(kShown, design.subjects()); ++s) {
    text += fmt::format("{:<{}.24}", design.ids[static_cast<std::size_t>(s)], width);
    for (Index c = 0; c < design.matrix.cols(); ++c)
      text +=
          fmt::format("  {:>{}.4g}", design.matrix(s, c),
                      std::max<std::size_t>(9, design.columns[static_cast<std::size_t>(c)].size()));
    text += "\n";
  }
  if (design.subjects() > kShown) text += fmt::format("… {} more\n", design.subjects() - kShown);
  return text;
}

std::string to_csv(const Design& design) {
  std::string text = "id";
  for (const auto& column : design.columns) text += "," + csv_field(column);
  text += "\n";
  for (Index s = 0; s < design.subjects(); ++s) {
    text += csv_field(design.ids[static_cast<std::size_t>(s)]);
    for (Index c = 0; c < design.matrix.cols(); ++c)
      text += fmt::format(",{}", design.matrix(s, c));
    text += "\n";
  }
  return text;
}

}  // namespace aladdin::stats
