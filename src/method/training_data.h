// A cohort as batches of tensors on the device that trains.
#pragma once

#include "aladdin/image/dataset.h"
#include "aladdin/method/terms.h"
#include "aladdin/team/team.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

// Which of so many processes has a subject: training, validation and other subjects are dealt out in turn.
std::vector<int> deal_subjects(const Cohort& cohort, int processes);

class TrainingData {
 public:
  // Subjects without a split are for training. Throws on fewer than two for training, and where all
  // of those are alike. Of several processes each has loaded what deal_subjects gives it.
  TrainingData(Dataset dataset, at::Device device, const Team& team = Team::alone());

  // From now on images, labels and masks are those of the dataset pulled through these maps, one a
  // subject, from atlas points to its own (affine_alignment.h).
  void place(std::vector<Affine> maps);
  // The identity unless they were placed.
  Affine placed(std::size_t subject) const;

  const Dataset& dataset() const { return dataset_; }
  at::Device device() const { return device_; }
  const std::vector<std::size_t>& training() const { return training_; }
  const std::vector<std::size_t>& validation() const { return validation_; }
  const Team& team() const { return team_; }
  int owner(std::size_t subject) const { return owner_[subject]; }
  // Calls use() of those subjects that this process has. After each the processes wait for each other, so that
  // one that is gone is missed soon, and call after() with the signal that one of them was sent, or 0.
  void for_each_own(
      const std::vector<std::size_t>& subjects, const std::function<void(std::size_t subject)>& use,
      const std::function<void(int signal)>& after = [](int) {}) const;
  // Along x, y, z.
  std::array<double, 3> spacing() const;
  // (1, 1, [d,] h, w)
  std::vector<int64_t> image_shape() const;

  at::Tensor image(std::size_t subject) const;
  std::vector<std::uint16_t> labels(std::size_t subject) const;
  // Where a subject's image counts: its mask file, else its field of view. Without a mask file a subject that fills the
  // grid has none.
  bool has_mask(std::size_t subject) const;
  // (1, 1, …), 0 or 1; undefined: none.
  at::Tensor mask(std::size_t subject) const;
  // Of subjects that this process has.
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
  std::vector<Affine> placed_;                    // empty: all are where they are
  std::vector<std::vector<std::uint8_t>> masks_;  // on the grid; empty: the subject has no file
};

}  // namespace aladdin
