// Pairs of bars as SVG: PyTorch's and ours.
#pragma once

#include <string>
#include <vector>

namespace aladdin::bench {

struct Bar {
  std::string name, unit;
  double theirs = 0, ours = 0;  // theirs is 0 where it was not measured
};

void write_bars(const std::string& path, const std::vector<Bar>& bars);

}  // namespace aladdin::bench
