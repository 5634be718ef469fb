#include "aladdin/method/atlas.h"

#include <algorithm>
#include <limits>
#include <map>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/image/resample.h"
#include "aladdin/method/pyramid.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/ops/jacobian.h"
#include "aladdin/ops/tensor.h"
#include "aladdin/ops/warp.h"
#include "aladdin/optimise/lie.h"

namespace aladdin {
namespace {

// The field that the mean displacement of a cohort asks for: with v_i - c for v_i the mean of
// exp(v_i - c) - id is zero to first order, so a few rounds of c += mean suffice.
constexpr int kCentringRounds = 3;

double mean_length_mm(const at::Tensor& field, const std::array<double, 3>& spacing, int scale) {
  at::Tensor squares;
  for (int64_t c = 0; c < field.size(1); ++c) {
    const at::Tensor mm = field.select(1, c) * (spacing[c] * scale);
    squares = squares.defined() ? squares + mm.square() : mm.square();
  }
  return squares.sqrt().mean().item<double>();
}

at::Tensor mean_image(const TrainingData& data) {
  at::Tensor sum = at::zeros(data.image_shape(), at::TensorOptions(at::kDouble));
  data.for_each_own(data.training(),
                    [&](std::size_t subject) { sum += data.image(subject).cpu(); });
  data.team().sum(sum);
  return (sum / double(data.training().size())).to(at::kFloat).to(data.device());
}

at::Tensor medoid(const TrainingData& data) {
  const at::Tensor mean = mean_image(data);
  at::Tensor best = at::zeros_like(mean);
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double least = kNone;
  std::size_t nearest = 0;
  data.for_each_own(data.training(), [&](std::size_t subject) {
    const at::Tensor image = data.image(subject);
    const double distance = (image - mean).square().mean().item<double>();
    if (distance < least) {
      best = image;
      least = distance;
      nearest = subject;
    }
  });
  // Of equals the first in the cohort, whoever has it.
  const auto all = data.team().gather(std::vector<double>{least, double(nearest)});
  const auto owner = static_cast<int>(std::min_element(all.begin(), all.end()) - all.begin());
  data.team().exchange(best, {owner});
  return best;
}

at::Tensor from_file(const Path& path, const TrainingData& data) {
  Image image = read_image(path);
  const Grid& grid = data.dataset().grid();
  if (image.grid.dims != grid.dims)
    fail("'{}' is {}-D, but the cohort is {}-D", path.string(), image.grid.dims, grid.dims);
  apply(find_intensity_map(image, nullptr, {}, path.string()), image);
  const Image placed = resample(image, grid, {0, 0, 0}, 0);
  return at::tensor(placed.values).view(data.image_shape()).to(data.device());
}

}  // namespace

void AtlasSum::add(const at::Tensor& images, const at::Tensor& to_subject, double by) {
  const at::NoGradGuard no_grad;
  const at::Tensor warped = ops::warp(images, to_subject);
  at::Tensor weight = config_.update == AtlasRule::forward
                          ? ops::jacobian_determinant(to_subject).clamp_min(config_.floor)
                          : at::ones_like(warped);
  if (by != 1) weight = weight * by;
  const auto accumulate = [](at::Tensor& sum, const at::Tensor& more) {
    const at::Tensor total = more.sum(0, /*keepdim=*/true);
    sum = sum.defined() ? sum + total : total;
  };
  accumulate(weighted_, weight * warped);
  accumulate(weight_, weight);
  accumulate(sum_, warped);
  accumulate(squares_, warped.square());
  count_ += images.size(0);
}

void AtlasSum::sum_over(const Team& team, at::IntArrayRef shape, at::Device device) {
  if (team.is_alone()) return;
  for (at::Tensor* sum : {&weighted_, &weight_, &sum_, &squares_}) {
    if (!sum->defined()) *sum = at::zeros(shape, at::TensorOptions(at::kFloat).device(device));
    team.sum(*sum);
  }
  std::int64_t count = 0;
  for (const auto& one : team.gather(std::vector<double>{double(count_)}))
    count += static_cast<std::int64_t>(one[0]);
  count_ = count;
}

at::Tensor AtlasSum::atlas() const { return weighted_ / weight_; }

at::Tensor AtlasSum::variability() const {
  const at::Tensor mean = sum_ / double(count_);
  return (squares_ / double(count_) - mean.square()).clamp_min(0).sqrt();
}

at::Tensor initial_atlas(const std::string& init, const TrainingData& data) {
  const at::NoGradGuard no_grad;
  if (init == "mean") return mean_image(data);
  if (init == "medoid") return medoid(data);
  return from_file(init, data);
}

at::Tensor hold_intensities(const at::Tensor& atlas, const at::Tensor& like) {
  const at::Tensor scale = like.std() / atlas.std().clamp_min(1e-6);
  return ((atlas - atlas.mean()) * scale + like.mean()).clamp(0, 1);
}

at::Tensor without(const at::Tensor& shift, const at::Tensor& v) {
  if (!shift.defined()) return v;
  const kernels::Shape shape = ops::shape_of(v);
  return at::tensor(composed(values_of(v), values_of(-shift), shape))
      .view(v.sizes())
      .to(v.device());
}

AtlasUpdate update_atlas(const Velocities& velocities, const Flow& flow, const at::Tensor& atlas,
                         const TrainingData& data, const AtlasConfig& config,
                         const std::vector<double>& weights) {
  const at::NoGradGuard no_grad;
  std::map<std::size_t, double> weight;
  double all = 0;
  for (std::size_t k = 0; k < data.training().size(); ++k)
    all += weight[data.training()[k]] = weights.empty() ? 1 : weights[k];
  const auto shape = data.image_shape();
  // Velocities are small beside the images (an eighth of the voxels at half resolution), yet a large
  // cohort has many: they are kept up to a limit and found again beyond it.
  constexpr std::int64_t kMostKept = 2LL << 30;
  std::vector<at::Tensor> kept;
  std::int64_t kept_bytes = 0;
  const auto each_velocity = [&](auto&& use) {
    std::size_t i = 0;
    data.for_each_own(data.training(), [&](std::size_t subject) {
      at::Tensor v = i < kept.size() ? kept[i] : velocities(subject);
      if (i == kept.size() && kept_bytes < kMostKept) {
        kept.push_back(v);
        kept_bytes += v.numel() * 4;
      }
      ++i;
      use(subject, v);
    });
  };

  AtlasUpdate out;
  const int rounds = config.centre ? kCentringRounds : 0;
  for (int round = 0; round < rounds; ++round) {
    at::Tensor mean;
    each_velocity([&](std::size_t subject, const at::Tensor& v) {
      at::Tensor u = flow.to_subject_coarse(without(out.shift, v));
      if (weight[subject] != 1) u = u * weight[subject];
      mean = mean.defined() ? mean + u : u;
    });
    if (!mean.defined())  // more processes than subjects
      mean = at::zeros(flow.velocity_sizes(shape), atlas.options());
    data.team().sum(mean = mean.contiguous());
    mean = mean / all;
    if (round == 0) out.shift_mm = mean_length_mm(mean, data.spacing(), flow.velocity_scale());
    out.shift = out.shift.defined() ? out.shift + mean : mean;
  }
  if (!config.is_closed_form()) {
    out.atlas = atlas;
    if (out.shift.defined()) out.atlas = ops::warp(atlas, flow(out.shift, shape).to_atlas);
    return out;
  }
  AtlasSum sum(config);
  each_velocity([&](std::size_t subject, const at::Tensor& v) {
    sum.add(data.image(subject), flow.to_subject(without(out.shift, v), shape), weight[subject]);
  });
  sum.sum_over(data.team(), shape, data.device());
  out.atlas = sum.atlas();
  return out;
}

}  // namespace aladdin
