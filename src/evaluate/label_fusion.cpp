#include "aladdin/evaluate/label_fusion.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/transform/point_map.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin::evaluate {
namespace {

constexpr std::int64_t kRadius = 2;
constexpr double kFloor = 1e-4;

// Means over 2 kRadius + 1 values along one axis, cut off at the border.
void mean_along(std::vector<float>& values, const Size3& size, int axis) {
  const std::int64_t length = size[axis];
  std::int64_t stride = 1;
  for (int a = 0; a < axis; ++a) stride *= size[a];
  std::vector<double> sums(static_cast<std::size_t>(length + 1));
  const auto lines = static_cast<std::int64_t>(values.size()) / length;
  for (std::int64_t line = 0; line < lines; ++line) {
    float* first = values.data() + line / stride * stride * length + line % stride;
    for (std::int64_t i = 0; i < length; ++i) sums[i + 1] = sums[i] + first[i * stride];
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t low = std::max<std::int64_t>(0, i - kRadius);
      const std::int64_t high = std::min(length, i + kRadius + 1);
      first[i * stride] =
          static_cast<float>((sums[high] - sums[low]) / static_cast<double>(high - low));
    }
  }
}

}  // namespace

std::vector<float> local_weights(const Image& image, const Image& other) {
  if (!same_grid(image.grid, other.grid)) fail("two images that are compared are on two grids");
  std::vector<float> weights(image.values.size());
  for (std::size_t v = 0; v < weights.size(); ++v) {
    const float difference = image.values[v] - other.values[v];
    weights[v] = difference * difference;
  }
  for (int axis = 0; axis < image.grid.dims; ++axis) mean_along(weights, image.grid.size, axis);
  for (float& weight : weights) {
    const double mean = std::max(0.0F, weight) + kFloor;
    weight = static_cast<float>(1 / (mean * mean));
  }
  return weights;
}

LabelFusion::LabelFusion(const Grid& native, int labels)
    : grid_(native),
      labels_(labels),
      votes_(static_cast<std::size_t>(native.voxels() * labels), 0.0F) {}

void LabelFusion::add(const NativeMap& subject, const Chain& to_subject,
                      const std::vector<float>& weights) {
  require_indices(subject.labels, subject.grid->voxels(), labels_);
  if (static_cast<std::int64_t>(weights.size()) != grid_.voxels())
    fail("a vote has {} weights, expected {}", weights.size(), grid_.voxels());
  const PointMap map(grid_, to_subject, *subject.grid);
  for_each_voxel(shape_of(grid_), [&](std::int64_t v, const Vec3& x) {
    float* row = votes_.data() + v * labels_;
    for_each_vote(subject.labels, subject.grid->size, map(x), [&](LabelIndex label, double share) {
      row[label] += static_cast<float>(share * weights[v]);
    });
  });
  map.report();
}

void LabelFusion::add_shares(int label, const Image& share, const Chain& atlas_to_native) {
  if (label < 0 || label >= labels_) fail("a vote has no label {} of {}", label, labels_);
  const Image pulled = pull_back(share, atlas_to_native, grid_);
  for (std::size_t v = 0; v < pulled.values.size(); ++v)
    votes_[v * labels_ + label] += std::max(0.0F, pulled.values[v]);
}

std::vector<LabelIndex> LabelFusion::labels() const {
  std::vector<LabelIndex> out(static_cast<std::size_t>(grid_.voxels()));
  for (std::size_t v = 0; v < out.size(); ++v) {
    const float* row = votes_.data() + v * labels_;
    out[v] = static_cast<LabelIndex>(std::max_element(row, row + labels_) - row);
  }
  return out;
}

std::vector<float> LabelFusion::probability(int label) const {
  std::vector<float> out(static_cast<std::size_t>(grid_.voxels()));
  for (std::size_t v = 0; v < out.size(); ++v) {
    const float* row = votes_.data() + v * labels_;
    double all = 0;
    for (int k = 0; k < labels_; ++k) all += row[k];
    // Nobody voted: beyond the atlas.
    out[v] = all > 0 ? static_cast<float>(row[label] / all) : (label == 0 ? 1.0F : 0.0F);
  }
  return out;
}

std::vector<double> volumes_mm3(const std::vector<LabelIndex>& map, const Grid& grid, int labels) {
  require_indices(map.data(), static_cast<std::int64_t>(map.size()), labels);
  std::vector<double> volumes(static_cast<std::size_t>(labels));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(labels));
  for (const LabelIndex label : map) ++counts[label];
  double voxel = 1;
  for (int axis = 0; axis < grid.dims; ++axis) voxel *= grid.spacing[axis];
  for (int k = 0; k < labels; ++k) volumes[k] = voxel * static_cast<double>(counts[k]);
  return volumes;
}

}  // namespace aladdin::evaluate
