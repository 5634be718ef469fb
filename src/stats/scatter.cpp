#include "aladdin/stats/scatter.h"

#include "aladdin/core/text.h"

namespace aladdin::stats {
namespace {

// The only term whose columns the contrast weights, or null.
const DesignTerm* only_term(const Design& design, const Contrast& contrast) {
  const DesignTerm* found = nullptr;
  for (const auto& term : design.terms) {
    if (contrast.weights.middleCols(term.first, term.count).isZero()) continue;
    if (found != nullptr) return nullptr;
    found = &term;
  }
  return found;
}

}  // namespace

void put_scatter(const Formula& formula, const Design& design, const Contrast& contrast,
                 const Table& table, Findings& findings) {
  const DesignTerm* tested = only_term(design, contrast);
  findings.tested_name = contrast.name;
  if (tested != nullptr && tested->name == "intercept") {
    findings.groups.assign(table.ids.size(), "all");
    return;
  }
  for (const auto& term : formula.terms) {
    if (tested == nullptr || term.text() != tested->name || term.factors.size() != 1) continue;
    const auto& values = table.column(term.factors.front().name);
    findings.tested_name = term.factors.front().name;
    if (!tested->number) {
      findings.groups = values;
      return;
    }
    for (const auto& value : values) findings.tested.push_back(parse_number(value).value());
    return;
  }
  const Eigen::VectorXd along = design.matrix * contrast.weights.row(0).transpose();
  findings.tested.assign(along.begin(), along.end());
}

}  // namespace aladdin::stats
