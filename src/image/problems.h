// Collects all that is wrong with a cohort, so that the user repairs it in one go.
#pragma once

#include <string>
#include <vector>

#include "aladdin/core/error.h"

namespace aladdin {

class Problems {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  bool any() const { return !lines_.empty(); }
  // Throws one Error that counts and lists them, if there are any.
  void report(const std::string& what) const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace aladdin
