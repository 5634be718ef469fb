#include "aladdin/image/label_map.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"

namespace aladdin {

double voxel_volume(const Grid& grid) { return std::abs(determinant(grid.index_to_point())); }

std::map<std::int32_t, std::int64_t> count_labels(const Labels& labels) {
  std::map<std::int32_t, std::int64_t> counts;
  // Runs of equal values are long in a label map: one lookup a run.
  for (std::size_t v = 0; v < labels.values.size();) {
    std::size_t end = v + 1;
    while (end < labels.values.size() && labels.values[end] == labels.values[v]) ++end;
    counts[labels.values[v]] += static_cast<std::int64_t>(end - v);
    v = end;
  }
  return counts;
}

bool looks_like_labels(const Labels& values) {
  std::unordered_set<std::int32_t> distinct;
  std::int64_t pairs = 0, equal = 0;
  for (std::size_t v = 0; v < values.values.size(); ++v) {
    const std::int32_t value = values.values[v];
    const bool starts_row = static_cast<std::int64_t>(v) % values.grid.size[0] == 0;
    if (starts_row || value != values.values[v - 1]) {
      if (value < 0) return false;
      distinct.insert(value);
      if (distinct.size() > kMostLabels) return false;
    }
    if (starts_row || (value == 0 && values.values[v - 1] == 0)) continue;
    ++pairs;
    equal += value == values.values[v - 1];
  }
  return 2 * equal >= pairs;
}

std::optional<Labels> read_if_labels(const Path& path) {
  if (!read_header(path).integer) return std::nullopt;
  try {
    Labels labels = read_labels(path);
    if (looks_like_labels(labels)) return labels;
  } catch (const Error&) {
    // Values beyond int32 are intensities; whatever else is wrong is said by read_image.
  }
  return std::nullopt;
}

}  // namespace aladdin
