// The paper's Table 2 on your own data: for each method a line with its bridge Dice, folds, time and
// memory, and tests of the paper's findings; as text, CSV, JSON, Markdown, LaTeX and a page.
#pragma once

#include "aladdin/config/method_lines.h"
#include "aladdin/evaluate/evaluation_report.h"
#include "trials.h"

namespace aladdin::app {

struct MethodResult {
  MethodLine line;
  Config config;  // as it was run
  std::optional<TrialOutcome> outcome;
  std::string failure;  // why there is no outcome
};

struct MethodTable {
  std::string title;  // of the page
  std::string how;    // how it was measured: the subjects, and the flags that change results
  std::vector<MethodResult> results;
  std::vector<evaluate::Group> groups;
};

// The contrasts of config/method_lines.h whose two sides were both run.
struct Finding {
  Contrast contrast;
  double difference = 0;  // mean over subjects of the mean over the pairs of lines
  std::int64_t subjects = 0;
  double p = 1;
};
std::vector<Finding> findings_of(const MethodTable& table);

std::string to_text(const MethodTable& table);
std::string to_csv(const MethodTable& table);
std::string to_markdown(const MethodTable& table);
std::string to_latex(const MethodTable& table);
std::string to_json_text(const MethodTable& table);
std::string to_page(const MethodTable& table);

}  // namespace aladdin::app
