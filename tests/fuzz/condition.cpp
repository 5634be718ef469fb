// What users write about covariates: conditions, values, sweeps, bandwidths.
#include "aladdin/condition/group.h"
#include "aladdin/condition/selection.h"
#include "fuzz.h"

using namespace aladdin;

ALADDIN_FUZZ(data, size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  stats::Table table;
  table.ids = {"a", "b", "c", "d"};
  table.columns = {{"age", {"20", "30", "40", "50"}},
                   {"sex", {"F", "M", "F", "M"}},
                   {"odd name", {"x y", "", "x y", "z"}}};
  fuzz::meet([&] { condition::select_subjects(text, table); });
  fuzz::meet([&] {
    condition::Question question;
    question.at = condition::parse_at(text);
    condition::find_group(question, table);
  });
  fuzz::meet([&] {
    condition::Question question;
    question.sweep = condition::parse_sweep(text);
    condition::find_group(question, table);
  });
  fuzz::meet([&] { condition::parse_bandwidth(text); });
  return 0;
}
