// Who belongs to a group, as a condition on covariates:
//
//   sex=F and age>60          =  !=  <  <=  >  >=     and  or  not  ( )
//   `odd name`='odd value'    names as in a model (stats/formula.h); values with other characters in ' or "
//
// A column of numbers is compared as numbers, any other as text, with = and != only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aladdin/stats/table.h"

namespace aladdin::condition {

// Whether it holds, for each line of a table.
struct Selection {
  std::vector<bool> holds;
  std::vector<std::string> names;  // of the covariates it asks for
};

// Throws (usage) one sentence: where the text cannot be read, on an unknown name, a value that no subject has, an order asked
// of a category, and missing values.
Selection select_subjects(const std::string& condition, const stats::Table& table);
// The covariates that it names, for a table that need not have them.
std::vector<std::string> names_in(const std::string& condition);

}  // namespace aladdin::condition
