// Where among the covariates an atlas is asked for.
#pragma once

#include <string>
#include <vector>

namespace aladdin::condition {

struct Coordinate {
  std::string name, value;
  bool category = false;  // C(name): a category, even if its values are numbers
};

// "age=70,sex=F,C(site)=2"; values with a comma in ' or ". Throws (usage) where it cannot be read.
std::vector<Coordinate> parse_at(const std::string& text);

struct Sweep {
  std::string name;
  std::vector<double> values;  // ascending, at least two
};

// "age=20:90:5": from, to and step. The last value is at most `to`.
Sweep parse_sweep(const std::string& text);

// "age=5,etiv=100" or, for the one number there is, "5". Empty names: that one.
struct Width {
  std::string name;
  double value = 0;
};
std::vector<Width> parse_bandwidth(const std::string& text);

}  // namespace aladdin::condition
