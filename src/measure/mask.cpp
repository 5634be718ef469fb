#include "aladdin/measure/mask.h"

#include <algorithm>
#include <array>

#include "aladdin/core/error.h"
#include "aladdin/image/intensity.h"
#include "aladdin/image/io.h"

namespace aladdin::measure {
namespace {

using Mask = std::vector<std::uint8_t>;

// The largest part of the voxels with `value` that hangs together by faces; the first of equal ones.
Mask largest_part(const Grid& grid, const Mask& mask, std::uint8_t value, bool at_border_only) {
  const std::array<std::int64_t, 3> stride{1, grid.size[0], grid.size[0] * grid.size[1]};
  std::vector<std::int32_t> part(mask.size(), 0);
  std::vector<std::int64_t> size{0}, stack;
  std::vector<bool> at_border{false};
  for (std::int64_t start = 0; start < grid.voxels(); ++start) {
    if (mask[start] != value || part[start] != 0) continue;
    const auto number = static_cast<std::int32_t>(size.size());
    size.push_back(0);
    at_border.push_back(false);
    part[start] = number;
    stack.assign(1, start);
    while (!stack.empty()) {
      const std::int64_t v = stack.back();
      stack.pop_back();
      ++size[number];
      for (int axis = 0; axis < grid.dims; ++axis) {
        const std::int64_t at = v / stride[axis] % grid.size[axis];
        for (const int step : {-1, 1}) {
          if (at + step < 0 || at + step >= grid.size[axis]) {
            at_border[number] = true;
            continue;
          }
          const std::int64_t next = v + step * stride[axis];
          if (mask[next] != value || part[next] != 0) continue;
          part[next] = number;
          stack.push_back(next);
        }
      }
    }
  }
  Mask kept(mask.size(), 0);
  const auto largest = std::max_element(size.begin(), size.end()) - size.begin();
  for (std::size_t v = 0; v < mask.size(); ++v)
    kept[v] = part[v] > 0 && (at_border_only ? at_border[part[v]] : part[v] == largest);
  return kept;
}

// The class after which two groups of classes differ most (largest variance between them).
int otsu(const std::array<double, 256>& count) {
  double all = 0, sum = 0, below = 0, sum_below = 0, best = -1;
  for (int c = 0; c < 256; ++c) {
    all += count[c];
    sum += c * count[c];
  }
  int threshold = 0;
  for (int c = 0; c < 255; ++c) {
    below += count[c];
    sum_below += c * count[c];
    const double above = all - below;
    if (below == 0 || above == 0) continue;
    const double difference = sum_below / below - (sum - sum_below) / above;
    const double between = below * above * difference * difference;
    if (between > best) {
      best = between;
      threshold = c;
    }
  }
  return threshold;
}

void require_voxels(const Mask& mask, const std::string& name) {
  if (std::find(mask.begin(), mask.end(), 1) == mask.end())
    fail("'{}' has no voxel other than 0, so there is nothing to analyse", name);
}

}  // namespace

Mask labelled(const Labels& labels) {
  Mask mask(labels.values.size());
  for (std::size_t v = 0; v < mask.size(); ++v) mask[v] = labels.values[v] != 0;
  return mask;
}

Mask foreground(const Image& image, const std::string& name) {
  const IntensityMap map = find_intensity_map(image, nullptr, IntensityRule{}, name);
  std::array<double, 256> count{};
  std::vector<std::uint8_t> classes(image.values.size());
  for (std::size_t v = 0; v < classes.size(); ++v) {
    classes[v] = static_cast<std::uint8_t>(std::min(255.0F, 256 * map(image.values[v])));
    ++count[classes[v]];
  }
  const int threshold = otsu(count);
  Mask bright(classes.size());
  for (std::size_t v = 0; v < classes.size(); ++v) bright[v] = classes[v] > threshold;
  // A hole is background that cannot be reached from the border.
  const Mask body = largest_part(image.grid, bright, 1, false);
  Mask mask = largest_part(image.grid, body, 0, true);
  for (auto& voxel : mask) voxel = !voxel;
  return mask;
}

Mask atlas_mask(const evaluate::Source& source) {
  if (!source.segmentation.empty()) {
    Mask mask = labelled(read_labels(source.segmentation));
    require_voxels(mask, source.segmentation.string());
    return mask;
  }
  if (source.atlas.empty()) fail("'{}' has neither an image nor labels of its atlas", source.name);
  return foreground(read_image(source.atlas), source.atlas.string());
}

Mask read_mask(const Path& path, const Grid& atlas) {
  const Labels labels = read_labels(path);
  if (!same_grid(labels.grid, atlas))
    fail("the mask '{}' is not on the atlas grid: {}, expected {}", path.string(),
         describe(labels.grid), describe(atlas));
  Mask mask = labelled(labels);
  require_voxels(mask, path.string());
  return mask;
}

std::vector<std::uint8_t> read_mask(const Path& path, const evaluate::Source& source) {
  if (path.empty()) return {};
  return read_mask(path,
                   read_header(source.atlas.empty() ? source.segmentation : source.atlas).grid);
}

}  // namespace aladdin::measure
