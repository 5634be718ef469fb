#include "aladdin/transform/pull_back.h"

#include <atomic>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/text.h"
#include "aladdin/image/ballot.h"
#include "aladdin/transform/bspline.h"
#include "aladdin/transform/point_map.h"
#include "aladdin/transform/sample.h"

namespace aladdin {
namespace {

const std::vector<std::string> kNames{"linear", "nearest", "label", "bspline"};

// out(x) = sample(index of chain(x)) where that is inside the buffer, else 0.
template <class T, class Sample>
Volume<T> resample(const Volume<T>& from, const Chain& chain, const Grid& grid,
                   const Sample& sample) {
  if (from.grid.dims != grid.dims)
    fail("a {}-D image cannot be resampled onto a {}-D grid", from.grid.dims, grid.dims);
  require_dims(chain, grid.dims);
  Volume<T> out(grid);
  const PointMap map(grid, chain, from.grid);
  std::atomic<bool> met{false};
  parallel_for(grid.size[1] * grid.size[2], [&](std::int64_t row) {
    T* line = out.values.data() + row * grid.size[0];
    bool inside = false;
    Vec3 x{0, static_cast<double>(row % grid.size[1]), static_cast<double>(row / grid.size[1])};
    for (std::int64_t i = 0; i < grid.size[0]; ++i) {
      x[0] = static_cast<double>(i);
      const Vec3 index = map(x);
      if (!inside_buffer(from.grid.size, index)) continue;
      line[i] = sample(index);
      inside = true;
    }
    if (inside) met.store(true, std::memory_order_relaxed);
  });
  map.report();
  if (!met)
    log::warn_again(
        "empty",
        "no point of the output grid falls inside the image; the result is all 0. Compare the origins "
        "with 'aladdin info', and check the direction of the transform");
  return out;
}

template <class T>
T nearest_at(const Volume<T>& volume, const Vec3& index) {
  return volume.at(static_cast<std::int64_t>(std::floor(index[0] + 0.5)),
                   static_cast<std::int64_t>(std::floor(index[1] + 0.5)),
                   static_cast<std::int64_t>(std::floor(index[2] + 0.5)));
}

std::int32_t heaviest_label(const Labels& labels, const Vec3& index) {
  thread_local Ballot ballot;
  ballot.clear();
  for_each_vote(labels.values.data(), cell_of(labels.grid.size, index),
                [](std::int32_t label, double weight) { ballot.vote(label, weight); });
  return ballot.winner(Ballot::Tie::smallest, 0);
}

}  // namespace

Interpolation parse_interpolation(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i]) return static_cast<Interpolation>(i);
  throw Error(
      fmt::format("'{}' is not an interpolation, expected linear, nearest, label or bspline", name),
      ExitCode::usage)
      .hint(did_you_mean(name, kNames));
}

std::string name_of(Interpolation interpolation) {
  return kNames[static_cast<std::size_t>(interpolation)];
}

Image pull_back(const Image& image, const Chain& chain, const Grid& grid,
                Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::linear:
      return resample(image, chain, grid, [&](const Vec3& index) {
        return static_cast<float>(linear_at(image.values.data(), cell_of(image.grid.size, index)));
      });
    case Interpolation::nearest:
      return resample(image, chain, grid,
                      [&](const Vec3& index) { return nearest_at(image, index); });
    case Interpolation::bspline:
      return resample(image, chain, grid, CubicBSpline(image));
    case Interpolation::label:
      break;
  }
  fail("label interpolation is for label maps, not for intensities");
}

Labels pull_back(const Labels& labels, const Chain& chain, const Grid& grid,
                 Interpolation interpolation) {
  if (interpolation == Interpolation::nearest)
    return resample(labels, chain, grid,
                    [&](const Vec3& index) { return nearest_at(labels, index); });
  if (interpolation != Interpolation::label)
    fail("{} interpolation is for intensities, not for label maps", name_of(interpolation));
  return resample(labels, chain, grid,
                  [&](const Vec3& index) { return heaviest_label(labels, index); });
}

}  // namespace aladdin
