// The right-hand side of a linear model, as in R:
//
//   age + sex + group         main effects; the intercept is always there, `1` alone is the mean
//   age:sex                   an interaction;  age*sex is age + sex + age:sex
//   age^2                     a power, 2 to 4, of a number
//   C(site)                   a category, even if its values are numbers
//   `odd name`                a name with other characters than letters, digits, _ and .
#pragma once

#include <string>
#include <vector>

namespace aladdin::stats {

struct Factor {
  std::string name;
  int power = 1;
  bool category = false;  // C(name)

  bool operator==(const Factor&) const = default;
};

// A product of factors.
struct Term {
  std::vector<Factor> factors;

  std::string text() const;  // "age:sex", "age^2", "site"
  bool operator==(const Term&) const = default;
};

struct Formula {
  std::vector<Term> terms;  // without the intercept; each once, lower orders as written

  std::string text() const;  // "1 + age + sex"
  bool uses(const std::string& covariate) const;
  Formula without(const std::string& covariate) const;  // no term that uses it
};

// Throws one sentence that shows where the formula cannot be understood.
Formula parse_formula(const std::string& text);

}  // namespace aladdin::stats
