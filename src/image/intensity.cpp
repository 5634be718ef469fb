#include "aladdin/image/intensity.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"

namespace aladdin {

void IntensityRule::validate() const {
  if (!(low_percent >= 0 && low_percent < high_percent && high_percent <= 100))
    fail_usage("the intensity percentiles {} and {} are not 0 <= low < high <= 100", low_percent,
               high_percent);
}

void IntensityMap::validate() const {
  if (!(high - low > 0) || !std::isfinite(high - low))
    fail("the intensities {} and {} are not finite with low < high", low, high);
}

float percentile(std::vector<float>& values, double p) {
  const double rank = p / 100.0 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(std::floor(rank));
  const auto at = values.begin() + below;
  std::nth_element(values.begin(), at, values.end());
  const double share = rank - static_cast<double>(below);
  if (share == 0 || at + 1 == values.end()) return *at;
  const float next = *std::min_element(at + 1, values.end());
  return static_cast<float>(*at + share * (static_cast<double>(next) - *at));
}

IntensityMap find_intensity_map(const Image& image, const Labels* mask, const IntensityRule& rule,
                                const std::string& name) {
  rule.validate();
  std::vector<float> values;
  if (mask) {
    for (std::size_t v = 0; v < image.values.size(); ++v)
      if (mask->values[v] != 0) values.push_back(image.values[v]);
    if (values.empty())
      fail("the mask of '{}' is empty, expected some voxels that are not 0", name);
  } else {
    values = image.values;
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const float smallest = *least, largest = *most;
  const char* where = mask ? " inside its mask" : "";
  if (smallest == largest)
    throw Error(fmt::format("'{}' is constant{}: every voxel is {:g}", name, where, smallest))
        .hint("omit the subject");
  const IntensityMap map{percentile(values, rule.low_percent),
                         percentile(values, rule.high_percent)};
  // high - low must not vanish in float either, or the map would divide by nothing.
  if (!(map.high - map.low > 0) || !std::isfinite(map.high - map.low))
    throw Error(
        fmt::format("'{}' has no contrast{}: its {:g} and {:g} percentiles are {:g} and {:g}", name,
                    where, rule.low_percent, rule.high_percent, map.low, map.high))
        .hint("give a mask, or omit the subject");
  return map;
}

void apply(const IntensityMap& map, Image& image) {
  parallel_ranges(static_cast<std::int64_t>(image.values.size()), 1 << 16,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t v = begin; v < end; ++v)
                      image.values[v] = map(image.values[v]);
                  });
}

}  // namespace aladdin
