// A cohort as batches of tensors on the device that trains.
#pragma once

#include "aladdin/image/dataset.h"
#include "aladdin/method/terms.h"
#include "aladdin/team/team.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

// The process that has each subject: training, validation and other subjects are dealt out in turn.
std::vector<int> deal_subjects(const Cohort& cohort, int processes);

class TrainingData {
 public:
  // Subjects without a split are for training. Throws if there are fewer than two of them, or if all are alike. Of
  // several processes each has loaded the subjects that deal_subjects gives it.
  TrainingData(Dataset dataset, at::Device device, const Team& team = Team::alone());

  // From now on images, labels and masks are pulled through these maps, one a subject, from atlas points to its own
  // (affine_alignment.h); in the interpolation that brings them onto the grid, so that there is only one.
  void place(std::vector<Affine> maps, const Image& mean);
  // The identity unless they were placed.
  Affine placed(std::size_t subject) const;
  // What they were aligned to; empty: they were not.
  const std::vector<float>& affine_mean() const { return affine_mean_; }

  const Dataset& dataset() const { return dataset_; }
  at::Device device() const { return device_; }
  const std::vector<std::size_t>& training() const { return training_; }
  const std::vector<std::size_t>& validation() const { return validation_; }
  const Team& team() const { return team_; }
  int owner(std::size_t subject) const { return owner_[subject]; }
  // Calls use() for the subjects that this process has. After each of them the processes wait for each other, which
  // reveals soon if one is gone, and call after() with the signal that one of them received, or 0.
  void for_each_own(
      const std::vector<std::size_t>& subjects, const std::function<void(std::size_t subject)>& use,
      const std::function<void(int signal)>& after = [](int) {}) const;
  // Along x, y, z.
  std::array<double, 3> spacing() const;
  // (1, 1, [d,] h, w)
  std::vector<int64_t> image_shape() const;

  at::Tensor image(std::size_t subject) const;
  std::vector<std::uint16_t> labels(std::size_t subject) const;
  // Where a subject's image counts: its mask file, else its field of view; a subject without a mask file that fills the
  // grid needs none.
  bool has_mask(std::size_t subject) const;
  // (1, 1, …), 0 or 1; undefined: none.
  at::Tensor mask(std::size_t subject) const;
  // For subjects that this process has.
  Batch batch(const std::vector<std::size_t>& subjects, bool with_labels) const;
  // The training subjects of an epoch in random order, the same for the same seed and epoch.
  std::vector<std::size_t> order(std::uint64_t seed, std::int64_t epoch) const;

 private:
  at::Tensor one_hot(std::size_t subject) const;
  void load_masks();
  void require_differences() const;

  Dataset dataset_;
  at::Device device_;
  const Team& team_;
  std::vector<int> owner_;
  std::vector<std::size_t> training_, validation_;
  std::vector<Affine> placed_;  // empty: all are where they are
  std::vector<float> affine_mean_;
  std::vector<std::vector<std::uint8_t>> masks_;  // on the grid; empty: the subject has no file
};

}  // namespace aladdin
