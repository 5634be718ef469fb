// A formula and a table make the design of a linear model: one line per subject, one column per parameter.
//
//   a number     one column, centred on its mean: the intercept is the mean subject, and a main effect beside an
//                interaction is that at the mean; powers are those of the centred number
//   a category   one column per level but the first (in alphabetical order), 1 for its subjects: group[MCI] is
//                MCI against the first level
//   a:b          the products of the columns of a and b
//
// A design that cannot be estimated is refused with a sentence that says what to change.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "aladdin/stats/formula.h"
#include "aladdin/stats/table.h"

namespace aladdin::stats {

struct DesignTerm {
  std::string name;                   // "intercept", "age", "age:sex"
  Eigen::Index first = 0, count = 1;  // its columns
  std::vector<std::string>
      reference_columns;  // names that stand for 0: the first level of a category
  bool number = false;    // one number, no product
};

struct Design {
  std::vector<std::string> ids;
  std::vector<std::string> columns;  // "intercept", "age", "sex[M]"
  std::vector<DesignTerm> terms;
  Eigen::MatrixXd matrix;  // subjects x columns

  Eigen::Index subjects() const { return matrix.rows(); }
};

// Subjects of `table` that lack a value of a covariate that `formula` names.
std::vector<std::string> incomplete_subjects(const Formula& formula, const Table& table);

// Throws on unknown names, missing values, constant or collinear terms, fewer subjects than columns.
Design make_design(const Formula& formula, const Table& table);

// What is asked of the parameters: all rows of weights · parameters are 0?
struct Contrast {
  std::string name;
  Eigen::MatrixXd weights;  // questions x columns
};

// `test` is a term ("age", "group", "age:sex", "1" for the mean) or a combination of columns
// ("group[AD] - group[MCI]", "2*age"). Throws, naming what there is, on anything else.
Contrast make_contrast(const Design& design, const std::string& test);

std::string to_text(const Design& design);  // the first lines, for people
std::string to_csv(const Design& design);

}  // namespace aladdin::stats
