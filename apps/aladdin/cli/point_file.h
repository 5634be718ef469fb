// Points in a CSV with the columns x, y and, in 3-D, z (any case, any order). Other columns stay.
#pragma once

#include <string>
#include <vector>

#include "aladdin/core/files.h"
#include "aladdin/core/linear.h"

namespace aladdin::app {

class PointFile {
 public:
  // The file "-" is standard input. `ras`: the file is in RAS; points() is in LPS regardless.
  PointFile(const Path& file, int dims, bool ras);

  std::vector<Vec3>& points() { return points_; }
  // The CSV with the points as they are now.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the first is the header
  std::vector<std::size_t> columns_;            // of x, y, z
  std::vector<Vec3> points_;
  double sign_;
};

}  // namespace aladdin::app
