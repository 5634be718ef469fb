#include "aladdin/evaluate/label_fusion.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/image/label_map.h"
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
  const auto lines = static_cast<std::int64_t>(values.size()) / length;
  constexpr std::int64_t kGrain = 512;
  parallel_ranges(lines, kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> sums(static_cast<std::size_t>(length + 1));
    for (std::int64_t line = begin; line < end; ++line) {
      float* first = values.data() + line / stride * stride * length + line % stride;
      for (std::int64_t i = 0; i < length; ++i) sums[i + 1] = sums[i] + first[i * stride];
      for (std::int64_t i = 0; i < length; ++i) {
        const std::int64_t low = std::max<std::int64_t>(0, i - kRadius);
        const std::int64_t high = std::min(length, i + kRadius + 1);
        first[i * stride] =
            static_cast<float>((sums[high] - sums[low]) / static_cast<double>(high - low));
      }
    }
  });
}

}  // namespace

std::vector<float> local_weights(const Image& image, const Image& other) {
  if (!same_grid(image.grid, other.grid))
    fail("two images cannot be compared: they are on different grids");
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

AtlasShares::AtlasShares(const std::vector<Image>& volumes)
    : labels_(static_cast<int>(volumes.size())) {
  if (volumes.empty()) fail("an atlas without labels has no label probabilities");
  grid_ = volumes.front().grid;
  for (const Image& volume : volumes)
    if (!same_grid(volume.grid, grid_))
      fail("the probabilities of two labels are on different grids");
  votes_.first.reserve(static_cast<std::size_t>(grid_.voxels()) + 1);
  for (std::int64_t v = 0; v < grid_.voxels(); ++v)
    votes_.append_voxel(labels_, [&](int k) { return volumes[k].values[v]; });
}

LabelFusion::LabelFusion(const Grid& native, int labels)
    : grid_(native),
      labels_(labels),
      first_(static_cast<std::size_t>(native.voxels()), kEnd),
      rows_(static_cast<std::size_t>(native.size[1] * native.size[2])) {}

void LabelFusion::vote(std::int64_t voxel, LabelIndex label, float votes) {
  auto& row = rows_[voxel / grid_.size[0]];
  for (std::uint32_t at = first_[voxel]; at != kEnd; at = row[at].next)
    if (row[at].label == label) {
      row[at].votes += votes;
      return;
    }
  row.push_back({label, first_[voxel], votes});
  first_[voxel] = static_cast<std::uint32_t>(row.size() - 1);
}

template <class Visit>
void LabelFusion::each_vote(std::int64_t voxel, const Visit& visit) const {
  const auto& row = rows_[voxel / grid_.size[0]];
  for (std::uint32_t at = first_[voxel]; at != kEnd; at = row[at].next) visit(row[at]);
}

void LabelFusion::add(const NativeMap& subject, const Chain& to_subject,
                      const std::vector<float>& weights) {
  require_indices(subject.labels, subject.grid->voxels(), labels_);
  if (static_cast<std::int64_t>(weights.size()) != grid_.voxels())
    fail("a vote has {} weights, expected {}", weights.size(), grid_.voxels());
  const PointMap map(grid_, to_subject, *subject.grid);
  for_each_voxel(shape_of(grid_), [&](std::int64_t v, const Vec3& x) {
    for_each_vote(subject.labels, subject.grid->size, map(x), [&](LabelIndex label, double share) {
      vote(v, label, static_cast<float>(share * weights[v]));
    });
  });
  map.report();
}

void LabelFusion::add_shares(const AtlasShares& shares, const Chain& atlas_to_native) {
  if (shares.labels() != labels_)
    fail("an atlas has probabilities of {} labels, expected {}", shares.labels(), labels_);
  require_dims(atlas_to_native, grid_.dims);
  const PointMap map(grid_, atlas_to_native, shares.grid());
  const Size3& size = shares.grid().size;
  for_each_voxel(shape_of(grid_), [&](std::int64_t v, const Vec3& x) {
    const Vec3 at = map(x);
    if (!inside_buffer(size, at)) return;
    shares.votes().at(cell_of(size, at), [&](LabelIndex label, double share) {
      vote(v, label, static_cast<float>(share));
    });
  });
  map.report();
}

std::vector<LabelIndex> LabelFusion::labels() const {
  std::vector<LabelIndex> out(static_cast<std::size_t>(grid_.voxels()));
  for_each_voxel(shape_of(grid_), [&](std::int64_t v, const Vec3&) {
    float most = 0;
    each_vote(v, [&](const Entry& entry) {
      if (entry.votes > most || (entry.votes == most && entry.label < out[v])) {
        most = entry.votes;
        out[v] = entry.label;
      }
    });
  });
  return out;
}

std::vector<float> LabelFusion::probability(int label) const {
  std::vector<float> out(static_cast<std::size_t>(grid_.voxels()));
  for_each_voxel(shape_of(grid_), [&](std::int64_t v, const Vec3&) {
    double all = 0, own = 0;
    each_vote(v, [&](const Entry& entry) {
      all += entry.votes;
      if (entry.label == label) own = entry.votes;
    });
    // Nobody voted: beyond the atlas.
    out[v] = all > 0 ? static_cast<float>(own / all) : (label == 0 ? 1.0F : 0.0F);
  });
  return out;
}

std::vector<double> volumes_mm3(const std::vector<LabelIndex>& map, const Grid& grid, int labels) {
  require_indices(map.data(), static_cast<std::int64_t>(map.size()), labels);
  std::vector<double> volumes(static_cast<std::size_t>(labels));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(labels));
  for (const LabelIndex label : map) ++counts[label];
  const double voxel = voxel_volume(grid);
  for (int k = 0; k < labels; ++k) volumes[k] = voxel * static_cast<double>(counts[k]);
  return volumes;
}

}  // namespace aladdin::evaluate
