#include "aladdin/image/thumbnail.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/median.h"
#include "aladdin/image/resample.h"

namespace aladdin {
namespace {

constexpr double kRadius = 0.8;

// use(cell) for each that is within.
template <class Use>
void each_within(int dims, const Use& use) {
  const int depth = dims == 3 ? kThumbnail : 1;
  const auto at = [](int n) { return (2 * n + 1.0) / kThumbnail - 1; };
  std::size_t cell = 0;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < kThumbnail; ++y)
      for (int x = 0; x < kThumbnail; ++x, ++cell) {
        const double third = dims == 3 ? at(z) : 0;
        if (at(x) * at(x) + at(y) * at(y) + third * third < kRadius * kRadius) use(cell);
      }
}

}  // namespace

std::vector<float> thumbnail_of(const Image& image, const Box& content,
                                const IntensityMap& intensity) {
  const Grid& grid = image.grid;
  const auto axes = nearest_axes(grid);
  std::vector<float> out(thumbnail_size(grid.dims));
  std::size_t cell = 0;
  const int depth = grid.dims == 3 ? kThumbnail : 1;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < kThumbnail; ++y)
      for (int x = 0; x < kThumbnail; ++x, ++cell) {
        Size3 from = content.first, to = content.first;  // of voxels, `to` is the first behind
        for (auto& end : to) ++end;
        for (int world = 0; world < grid.dims; ++world) {
          const int axis = axes[world];
          int n = std::array{x, y, z}[world];
          if (grid.direction[world][axis] < 0) n = kThumbnail - 1 - n;
          const std::int64_t length = content.last[axis] - content.first[axis] + 1;
          from[axis] = content.first[axis] + n * length / kThumbnail;
          to[axis] = std::max(from[axis] + 1, content.first[axis] + (n + 1) * length / kThumbnail);
        }
        double sum = 0;
        std::int64_t count = 0;
        for (std::int64_t k = from[2]; k < to[2]; ++k)
          for (std::int64_t j = from[1]; j < to[1]; ++j)
            for (std::int64_t i = from[0]; i < to[0]; ++i, ++count)
              sum += intensity(image.at(i, j, k));
        out[cell] = static_cast<float>(sum / static_cast<double>(count));
      }
  return out;
}

std::vector<float> median_thumbnail(const std::vector<std::vector<float>>& thumbnails) {
  std::vector<float> out(thumbnails.front().size());
  for (std::size_t cell = 0; cell < out.size(); ++cell) {
    std::vector<double> values;
    for (const auto& thumbnail : thumbnails) values.push_back(thumbnail[cell]);
    out[cell] = static_cast<float>(median(values));
  }
  return out;
}

double mean_of(const std::vector<float>& thumbnail, int dims) {
  double sum = 0, count = 0;
  each_within(dims, [&](std::size_t cell) {
    sum += thumbnail[cell];
    ++count;
  });
  return sum / count;
}

double correlation_of(const std::vector<float>& a, const std::vector<float>& b, int dims) {
  const double mean_a = mean_of(a, dims), mean_b = mean_of(b, dims);
  double aa = 0, bb = 0, ab = 0;
  each_within(dims, [&](std::size_t cell) {
    const double x = a[cell] - mean_a, y = b[cell] - mean_b;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  });
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace aladdin
