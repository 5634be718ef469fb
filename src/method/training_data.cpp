#include "aladdin/method/training_data.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"
#include "aladdin/image/io.h"
#include "aladdin/image/resample.h"
#include "aladdin/network/affine_placement.h"

namespace aladdin {

std::vector<int> deal_subjects(const Cohort& cohort, int processes) {
  std::vector<int> owner(cohort.subjects.size());
  int next = 0;
  const auto deal = [&](const auto& belongs) {
    for (std::size_t i = 0; i < owner.size(); ++i)
      if (belongs(cohort.subjects[i])) owner[i] = next++ % processes;
  };
  const auto validates = [](const Subject& s) { return s.split == "val"; };
  deal([](const Subject& s) { return s.is_for_training(); });
  deal(validates);
  deal([&](const Subject& s) { return !s.is_for_training() && !validates(s); });
  return owner;
}

TrainingData::TrainingData(Dataset dataset, at::Device device, const Team& team)
    : dataset_(std::move(dataset)),
      device_(device),
      team_(team),
      owner_(deal_subjects(dataset_.cohort(), team.size())) {
  const auto& subjects = dataset_.cohort().subjects;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (subjects[i].is_for_training()) training_.push_back(i);
    if (subjects[i].split == "val") validation_.push_back(i);
  }
  if (training_.size() < 2)
    throw Error(fmt::format("'{}' has {} for training, expected at least 2",
                            dataset_.cohort().source,
                            training_.size() == 1 ? "one subject" : "no subject"))
        .hint("an atlas needs at least two training subjects; check the split column");
  require_differences();
  load_masks();
}

void TrainingData::place(std::vector<Affine> maps, const Image& mean) {
  placed_ = std::move(maps);
  affine_mean_ = mean.values;
  std::vector<Grid> seen;
  for (const Affine& map : placed_) seen.push_back(aladdin::placed(dataset_.grid(), map));
  dataset_.place(std::move(seen));
  load_masks();
}

Affine TrainingData::placed(std::size_t subject) const {
  return placed_.empty() ? Affine{.dims = dataset_.grid().dims} : placed_[subject];
}

void TrainingData::load_masks() {
  const auto& subjects = dataset_.cohort().subjects;
  masks_.resize(subjects.size());
  parallel_for(static_cast<std::int64_t>(subjects.size()), [&](std::int64_t i) {
    if (!subjects[i].mask || !dataset_.has(i)) return;
    Labels mask = read_labels(*subjects[i].mask);
    for (auto& value : mask.values) value = value != 0;
    const Labels there = resample(mask, dataset_.seen(i), dataset_.working().shift[i], 0);
    masks_[i].assign(there.values.begin(), there.values.end());
  });
}

bool TrainingData::has_mask(std::size_t subject) const {
  const Subject& s = dataset_.cohort().subjects[subject];
  return s.mask || !covers(s.grid, dataset_.seen(subject), dataset_.working().shift[subject]);
}

at::Tensor TrainingData::mask(std::size_t subject) const {
  if (!has_mask(subject)) return {};
  at::Tensor out = at::empty(image_shape(), at::kFloat);
  float* values = out.data_ptr<float>();
  if (!masks_[subject].empty()) {
    std::copy(masks_[subject].begin(), masks_[subject].end(), values);
    return out.to(device_);
  }
  const Labels shown = field_of_view(dataset_.cohort().subjects[subject].grid,
                                     dataset_.seen(subject), dataset_.working().shift[subject]);
  std::copy(shown.values.begin(), shown.values.end(), values);
  return out.to(device_);
}

void TrainingData::require_differences() const {
  const int leader = owner(training_[0]);
  at::Tensor first =
      team_.rank() == leader ? image(training_[0]) : at::empty(image_shape(), at::kFloat);
  team_.exchange(first, {leader});
  bool differs = false;
  for (const std::size_t subject : training_)
    differs = differs || (dataset_.has(subject) && !image(subject).equal(first));
  for (const auto& one : team_.gather(std::vector<double>{double(differs)}))
    if (one[0] > 0) return;
  throw Error(fmt::format("all {} training images of '{}' are the same", training_.size(),
                          dataset_.cohort().source))
      .hint("check the paths in the cohort");
}

void TrainingData::for_each_own(const std::vector<std::size_t>& subjects,
                                const std::function<void(std::size_t)>& use,
                                const std::function<void(int)>& after) const {
  std::vector<std::size_t> own, shares(static_cast<std::size_t>(team_.size()));
  for (const std::size_t subject : subjects) {
    ++shares[owner(subject)];
    if (owner(subject) == team_.rank()) own.push_back(subject);
  }
  const std::size_t rounds = *std::max_element(shares.begin(), shares.end());
  for (std::size_t k = 0; k < rounds; ++k) {
    if (k < own.size()) use(own[k]);
    after(team_.pulse());
  }
}

std::array<double, 3> TrainingData::spacing() const {
  const auto& s = dataset_.grid().spacing;
  return {s[0], s[1], s[2]};
}

std::vector<int64_t> TrainingData::image_shape() const {
  const Grid& grid = dataset_.grid();
  if (grid.dims == 2) return {1, 1, grid.size[1], grid.size[0]};
  return {1, 1, grid.size[2], grid.size[1], grid.size[0]};
}

at::Tensor TrainingData::image(std::size_t subject) const {
  at::Tensor out = at::empty(image_shape(), at::kFloat);
  dataset_.image(subject, out.data_ptr<float>());
  return out.to(device_);
}

std::vector<std::uint16_t> TrainingData::labels(std::size_t subject) const {
  std::vector<std::uint16_t> out(static_cast<std::size_t>(dataset_.grid().voxels()));
  dataset_.label_indices(subject, out.data());
  return out;
}

at::Tensor TrainingData::one_hot(std::size_t subject) const {
  const auto indices = labels(subject);
  const auto structures = static_cast<int64_t>(dataset_.label_table().size()) - 1;
  const auto voxels = static_cast<int64_t>(indices.size());
  std::vector<int64_t> shape = image_shape();
  shape[1] = structures;
  at::Tensor out = at::zeros(shape, at::kFloat);
  float* values = out.data_ptr<float>();
  for (int64_t v = 0; v < voxels; ++v)
    if (indices[v] > 0) values[(indices[v] - 1) * voxels + v] = 1.0F;
  return out.to(device_);
}

Batch TrainingData::batch(const std::vector<std::size_t>& subjects, bool with_labels) const {
  std::vector<at::Tensor> images, labels;
  for (const std::size_t subject : subjects) {
    images.push_back(image(subject));
    if (with_labels && dataset_.has_labels(subject)) labels.push_back(one_hot(subject));
  }
  Batch out;
  out.images = at::cat(images);
  if (std::any_of(subjects.begin(), subjects.end(),
                  [&](std::size_t subject) { return has_mask(subject); })) {
    std::vector<at::Tensor> masks;
    for (const std::size_t subject : subjects) {
      masks.push_back(mask(subject));
      if (!masks.back().defined())
        masks.back() = at::ones(image_shape(), at::TensorOptions(at::kFloat).device(device_));
    }
    out.masks = at::cat(masks);
  }
  // A pair needs both its labels.
  if (!labels.empty() && labels.size() == subjects.size()) out.labels = at::cat(labels);
  return out;
}

std::vector<std::size_t> TrainingData::order(std::uint64_t seed, std::int64_t epoch) const {
  constexpr std::uint64_t kOrderStream = 1ULL << 40;
  Rng rng(seed, kOrderStream + static_cast<std::uint64_t>(epoch));
  std::vector<std::size_t> out = training_;
  for (std::size_t i = out.size() - 1; i > 0; --i)
    std::swap(out[i], out[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(i + 1)))]);
  return out;
}

}  // namespace aladdin
