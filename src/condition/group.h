// The subjects behind an atlas, and the numbers it is regressed on: what --where, --at and --sweep ask of a table.
//
// A coordinate that is a category keeps its subjects; one that is a number is a coordinate of the regression.
#pragma once

#include <Eigen/Dense>
#include <optional>

#include "aladdin/condition/point.h"
#include "aladdin/stats/table.h"

namespace aladdin::condition {

struct Question {
  std::string where;           // condition/selection.h; "": everybody
  std::vector<Coordinate> at;  // empty: the mean of the group
  std::optional<Sweep> sweep;  // over one more number
  bool drop_missing =
      false;  // subjects without a value of a covariate that is named; else they are an error
  bool extrapolate = false;  // beyond the range of the group; else an error
};

struct Group {
  std::vector<std::size_t> members;     // lines of the table, ascending; at least two
  std::size_t dropped = 0;              // for missing values
  std::vector<std::string> numbers;     // names of the columns of x; none: all members count alike
  Eigen::MatrixXd x;                    // members x numbers
  std::vector<Eigen::VectorXd> points;  // one for each atlas
  std::vector<std::string> names;       // of these: "age=70,sex=F", "sex=F and age>60", "everybody"
  std::vector<std::string> folders;     // of a sweep: "age-70"; else one that is empty
};

// Throws one sentence (usage) for whatever cannot be answered.
Group find_group(const Question& question, const stats::Table& table);

}  // namespace aladdin::condition
