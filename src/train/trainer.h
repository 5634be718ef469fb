// The training loop: epochs over the stages of the pyramid, atlas updates, validations, checkpoints.
//
// Alternation as in the paper (Sec. 3.2): the network is trained with the atlas fixed; every
// `atlas.every` epochs, and where a stage ends, the atlas is updated from the registrations of all
// training subjects (a learned atlas takes its own step after each epoch, or with each step). In the last part of the
// training (`train.last`) the atlas stays: what is published has met.
#pragma once

#include <functional>
#include <optional>

#include "aladdin/run/run_directory.h"
#include "aladdin/train/checkpoint.h"
#include "aladdin/train/schedule.h"
#include "aladdin/train/validation.h"

namespace aladdin {

// The progress that a training reports.
struct TrainingNews {
  const TrainingState* state = nullptr;
  int stage = 1;        // coarsening
  double fraction = 0;  // of the work, or of the time
  double rate = 0;
  EpochSums means;  // of the epoch that has ended
  const Validation* validation = nullptr;
  std::optional<double> atlas_change{};  // root mean square of what its update changed
  std::int64_t steps_an_epoch = 0;
};

class Trainer {
 public:
  Trainer(const Config& config, const TrainingData& data, RunDirectory run, std::string identity);

  // Tells at the end of each epoch.
  std::function<void(const TrainingNews&)> tell = [](const TrainingNews&) {};
  // Tells after each step, with the means of the epoch so far.
  std::function<void(const TrainingNews&)> tell_step = [](const TrainingNews&) {};

  // Begins, or goes on after resume(), as the pupil of a finished optimisation: against its atlas, which stays, and by its
  // velocities.
  void be_taught(const TrainingState& teacher);
  // Restores the last checkpoint, if there is one; writes nothing.
  void resume();
  const Position& position() const { return state_.position; }
  // Throws unless all processes have restored the same checkpoint.
  void require_agreement() const;
  // Ends with the state of which the averaged (or best) weights and the atlas are to be published;
  // writes a checkpoint last.
  TrainingState& run();
  // The seconds of a step at a stage. For a trainer that is not run afterwards.
  double time_step(int stage);

  std::int64_t steps_an_epoch() const;
  const at::Tensor& atlas() const { return state_.atlas; }
  // The velocity of a subject on the full grid, as the learner is now.
  at::Tensor registered(std::size_t subject) const;

 private:
  TrainingState start() const;
  // With the current atlas and learner.
  Velocities velocities() const;
  void run_stage();
  // False when the time of the stage is over.
  bool run_epoch();
  void step(const std::vector<std::size_t>& subjects, double rate);
  // What the processes of a team must know alike after a step: whether to stop, how late it is.
  void agree();
  void end_epoch(bool stage_ends);
  void update_learned_atlas();
  void descend_by_adam(const at::Tensor& gradient, double rate);
  // Its intensities where the similarity leaves them free, else in 0 … 1.
  at::Tensor held(const at::Tensor& atlas) const;
  // What it changed.
  std::optional<double> update_atlas_if_due(bool stage_ends, double done);
  TrainingNews news(double done) const;
  std::optional<Validation> validate_if_due(bool stage_ends) const;
  // Keeps the state with the best validation on the full grid. Scores of different atlases cannot be compared, so the
  // best is forgotten when the atlas becomes final.
  void keep_best(double score);
  void stop_on_plateau();
  void checkpoint_if_due();
  void write_checkpoint_now();
  // A checkpoint, then Interrupted, if a signal has asked for it (core/interrupt.h).
  void stop_if_asked();
  double fraction() const;
  double seconds() const;
  int stage() const { return schedule_.stages()[state_.position.stage].coarsening; }
  std::vector<std::size_t> subjects_of(std::int64_t step) const;
  // How often an epoch goes through the cohort.
  std::size_t rounds_an_epoch() const;
  // All, but the published energy wants even batches: the last of an odd cohort waits for another epoch.
  std::size_t subjects_an_epoch() const;
  // The order of the subjects in an epoch; each round has its own.
  std::vector<std::size_t> order_of(std::int64_t epoch) const;
  std::int64_t subjects_a_step() const;

  Config config_;
  const TrainingData& data_;
  RunDirectory run_;
  std::string identity_;
  Schedule schedule_;
  Flow flow_;
  Energy energy_;
  TrainingState state_;
  std::vector<std::size_t> order_;
  double started_ = 0, before_ = 0, last_checkpoint_ = 0;
  // What several processes have agreed on since their last step.
  int agreed_signal_ = 0;
  double agreed_seconds_ = 0;
};

}  // namespace aladdin
