// How well the subjects of a cohort match their atlas, and who matches far worse than the others: where a registration
// failed, or an image does not belong there, the mismatch L_sim (energy.h) is an outlier.
//
//   excess = (mismatch - median) / spread,    spread = 1.4826 median |mismatch - median|, at least a tenth of the median
//
// An excess above 6 is poor (healthy cohorts of brains, knees and hippocampi stay below 5). What is poor should not drag
// the atlas: a subject weighs 1 up to an excess of 4, nothing from 6 on, and in between (6 - excess) / 2. Fewer than five
// subjects cannot tell what is usual: nobody is poor among them.
#pragma once

#include <string>
#include <vector>

namespace aladdin {

class Mismatches {
 public:
  // Of at least one subject.
  explicit Mismatches(const std::vector<double>& values);
  // "median spread", as text() says it; throws on anything else.
  explicit Mismatches(const std::string& text);
  std::string text() const;

  double median() const { return median_; }
  double spread() const { return spread_; }
  double excess(double mismatch) const { return (mismatch - median_) / spread_; }
  bool is_poor(double mismatch) const { return excess(mismatch) > kPoor; }
  double weight(double mismatch) const;

 private:
  static constexpr double kFull = 4, kPoor = 6;
  static constexpr std::size_t kFewest = 5;
  double median_, spread_;
};

// For a message: "a, b, c and 2 others".
std::string list_of_poor(const std::vector<std::string>& names);

}  // namespace aladdin
