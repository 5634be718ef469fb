#include "aladdin/train/trainer.h"

#include <chrono>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/profile.h"
#include "aladdin/method/adam.h"
#include "aladdin/method/atlas.h"
#include "aladdin/method/pyramid.h"
#include "aladdin/train/narrator.h"

namespace aladdin {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string format_ids(const std::vector<std::size_t>& subjects, const Cohort& cohort) {
  std::vector<std::string> ids;
  for (const std::size_t subject : subjects) ids.push_back(cohort.subjects[subject].id);
  return fmt::format("{}", fmt::join(ids, ", "));
}

}  // namespace

Trainer::Trainer(const Config& config, const TrainingData& data, RunDirectory run,
                 std::string identity)
    : config_(config),
      data_(data),
      run_(std::move(run)),
      identity_(std::move(identity)),
      schedule_(config, data.dataset().grid().dims),
      flow_(config.network),
      energy_(config.loss),
      state_(start()) {}

TrainingState Trainer::start() const {
  return {config_, make_learner(config_, data_), initial_atlas(config_.atlas.init, data_)};
}

Velocities Trainer::velocities() const {
  return [this](std::size_t subject) {
    const at::NoGradGuard no_grad;
    return refine(state_.learner->registered(state_.atlas, subject, stage()),
                  stage() * flow_.velocity_scale(), flow_.velocity_scale(), data_.image_shape());
  };
}

double Trainer::seconds() const {
  return data_.team().is_alone() ? before_ + now() - started_ : agreed_seconds_;
}

std::size_t Trainer::rounds_an_epoch() const {
  if (!config_.train.learns()) return 1;
  const std::size_t n = data_.training().size();
  return (static_cast<std::size_t>(config_.train.least) + n - 1) / n;
}

std::size_t Trainer::subjects_an_epoch() const {
  const std::size_t n = rounds_an_epoch() * data_.training().size();
  return config_.loss.published && config_.train.batch > 1 ? n - n % 2 : n;
}

std::vector<std::size_t> Trainer::order_of(std::int64_t epoch) const {
  std::vector<std::size_t> out;
  const auto rounds = static_cast<std::int64_t>(rounds_an_epoch());
  for (std::int64_t round = 0; round < rounds; ++round) {
    auto more = data_.order(config_.train.seed, epoch * rounds + round);
    // A batch across two rounds should not pair a subject with itself.
    if (!out.empty() && out.back() == more.front()) std::swap(more.front(), more.back());
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

std::int64_t Trainer::subjects_a_step() const {
  constexpr int kSideBySide = 8;  // optimised alone, each on a thread; the same on every machine
  return config_.train.optimises() ? std::max(config_.train.batch, kSideBySide)
                                   : config_.train.batch;
}

std::int64_t Trainer::steps_an_epoch() const {
  const auto n = static_cast<std::int64_t>(subjects_an_epoch());
  return (n + subjects_a_step() - 1) / subjects_a_step();
}

double Trainer::fraction() const {
  if (schedule_.timed()) return schedule_.fraction_of_time(seconds());
  const Position& p = state_.position;
  return schedule_.fraction(p.stage, p.epoch, double(p.step) / double(steps_an_epoch()));
}

std::vector<std::size_t> Trainer::subjects_of(std::int64_t step) const {
  const auto batch = static_cast<std::size_t>(subjects_a_step());
  const std::size_t begin = static_cast<std::size_t>(step) * batch;
  const std::size_t end = std::min(begin + batch, subjects_an_epoch());
  // A pair needs two: the last one of an odd cohort is joined by the first.
  if (end - begin == 1 && batch > 1 && config_.train.learns()) return {order_[begin], order_[0]};
  return {order_.begin() + begin, order_.begin() + end};
}

void Trainer::resume() {
  if (!read_checkpoint(run_, state_, identity_)) return;
  const Position& p = state_.position;
  if (p.stage >= schedule_.stages().size() || p.step > steps_an_epoch() || !(p.seconds >= 0))
    throw Error(fmt::format("the checkpoint in '{}' is at a step that this training does not have",
                            run_.checkpoints().string()))
        .hint(fmt::format("start over with {}", option_name("force")));
  before_ = agreed_seconds_ = p.seconds;
}

void Trainer::be_taught(const TrainingState& teacher) {
  std::vector<at::Tensor> velocities;
  for (const std::size_t subject : data_.training())
    velocities.push_back(teacher.learner->registered(teacher.atlas, subject, 1));
  state_.learner->be_taught(std::move(velocities));
  Position& p = state_.position;
  if (p.steps > 0) return;  // resumed
  state_.atlas = teacher.atlas;
  state_.metrics = teacher.metrics;
  p.epochs = teacher.position.epochs;
  p.steps = teacher.position.steps;
  before_ = agreed_seconds_ = p.seconds = teacher.position.seconds;
  p.atlas_is_final = true;
}

void Trainer::require_agreement() const {
  // The last of a stage, and the finished one, have the steps of the one before.
  const Position& p = state_.position;
  const auto all = data_.team().gather(std::vector<double>{
      double(p.steps), double(p.stage), double(p.epoch), double(p.step), double(p.finished)});
  for (const auto& one : all)
    if (one != all[0])
      throw Error(fmt::format("the processes see different checkpoints in '{}', those of steps {} "
                              "and {}",
                              run_.folder.string(), all[0][0], one[0]))
          .hint("the run directory must be the same folder on every machine");
}

TrainingState& Trainer::run() {
  started_ = now();
  last_checkpoint_ = started_;
  while (!state_.position.finished) run_stage();
  return state_;
}

void Trainer::run_stage() {
  Position& p = state_.position;
  const Stage& stage = schedule_.stages()[p.stage];
  if (p.epoch == 0 && p.step == 0) state_.learner->begin_stage(stage.coarsening);
  for (;;) {
    const bool in_time = run_epoch();
    // Rounds of a method without gradients have an end; more time would not make them better.
    const bool over = p.epoch + 1 >= stage.epochs;
    const bool ends = schedule_.timed() ? !in_time || (!config_.train.learns() && over) : over;
    end_epoch(ends);
    if (ends || p.finished) break;
    checkpoint_if_due();
    stop_if_asked();
  }
  p.epoch = 0;
  if (++p.stage == schedule_.stages().size() || p.finished) {
    p.stage = schedule_.stages().size() - 1;
    p.finished = true;
  }
  write_checkpoint_now();
  stop_if_asked();
}

bool Trainer::run_epoch() {
  Position& p = state_.position;
  order_ = order_of(p.epochs);
  const double end = schedule_.stages()[p.stage].end;
  const std::int64_t steps = steps_an_epoch();
  while (p.step < steps) {
    if (schedule_.timed() && fraction() >= end) return false;
    step(subjects_of(p.step), schedule_.rate(fraction()));
    ++p.step;
    ++p.steps;
    tell_step(news(fraction()));
    checkpoint_if_due();
    stop_if_asked();
  }
  return !schedule_.timed() || fraction() < end;
}

void Trainer::step(const std::vector<std::size_t>& subjects, double rate) {
  const profile::Span span(profile::kWhole);
  const bool learned = state_.atlas_gradient.defined() || state_.atlas_first.defined();
  const StepResult result = state_.learner->learn(state_.atlas, learned,
                                                  {subjects, stage(), rate, state_.position.steps});
  agree();
  if (!result.finite)
    throw Error(fmt::format("the energy is not finite in epoch {}, step {} (subjects {})",
                            state_.position.epochs + 1, state_.position.step + 1,
                            format_ids(subjects, data_.dataset().cohort())))
        .hint(
            "check these images; a smaller train.rate or a larger loss.lambda may help; "
            "the last good checkpoint is kept");
  if (state_.atlas_gradient.defined()) state_.atlas_gradient += result.atlas_gradient;
  if (state_.atlas_first.defined() && !state_.position.atlas_is_final)
    descend_by_adam(result.atlas_gradient, rate);
  EpochSums& sums = state_.sums;
  sums.energy += result.terms.energy.item<double>();
  sums.sim += result.terms.sim;
  sums.reg += result.terms.reg;
  sums.atlas_pairs += result.terms.atlas_pairs;
  sums.image_pairs += result.terms.image_pairs;
  sums.dice += result.terms.dice;
  sums.norm += result.norm;
  ++sums.steps;
  log::detail("step {}: energy {:.9g}, gradient {:.9g}", state_.position.steps + 1,
              result.terms.energy.item<double>(), result.norm);
}

void Trainer::agree() {
  if (data_.team().is_alone()) return;
  const auto all = data_.team().gather(
      std::vector<double>{double(stop_requested()), before_ + now() - started_});
  agreed_signal_ = 0;
  for (const auto& one : all)
    if (agreed_signal_ == 0) agreed_signal_ = static_cast<int>(one[0]);
  agreed_seconds_ = all[0][1];
}

void Trainer::descend_by_adam(const at::Tensor& gradient, double rate) {
  const at::NoGradGuard no_grad;
  state_.atlas = state_.atlas.clone();
  Adam adam({state_.atlas}, {});
  adam.restore({state_.atlas_first, state_.atlas_second}, state_.position.steps);
  adam.step({gradient}, rate);
  state_.atlas_first = adam.state()[0];
  state_.atlas_second = adam.state()[1];
  state_.atlas = held(state_.atlas);
}

at::Tensor Trainer::held(const at::Tensor& atlas) const {
  return keeps_scale(config_.loss.similarity) ? atlas.clamp(0, 1)
                                              : hold_intensities(atlas, state_.first_atlas);
}

void Trainer::update_learned_atlas() {
  const at::NoGradGuard no_grad;
  // The energy is a mean over voxels: the more there are, the less each of them changes it. The rate is that of the
  // paper's volumes.
  constexpr double kPaperVoxels = 80 * 192 * 192;
  const double steps = double(std::max<std::int64_t>(1, state_.sums.steps));
  const double rate = config_.atlas.rate * double(state_.atlas.numel()) / kPaperVoxels;
  state_.atlas = held(state_.atlas - state_.atlas_gradient * (rate / steps));
}

std::optional<double> Trainer::update_atlas_if_due(bool stage_ends, double done) {
  Position& p = state_.position;
  if (p.atlas_is_final) return std::nullopt;
  // The last update is where the last part of the training begins.
  if (schedule_.atlas_is_final(done)) {
    p.atlas_is_final = true;
    state_.best_score.reset();
  }
  // No network would be trained against it; optimised velocities are found again when they are published.
  if (done >= 1 && !config_.train.optimises()) return std::nullopt;
  const at::Tensor before = state_.atlas;
  if (state_.atlas_gradient.defined()) update_learned_atlas();
  // A learned atlas only needs the rest to be centred.
  const bool wanted = config_.atlas.is_closed_form() || config_.atlas.centre;
  const int every = config_.train.optimises() ? 1 : config_.atlas.every;
  const bool due = stage_ends || p.atlas_is_final || p.epoch % every == 0;
  if (wanted && due) {
    const AtlasUpdate update = update_atlas(
        velocities(), flow_, state_.atlas, data_, config_.atlas,
        config_.atlas.robust ? state_.learner->weights_in_atlas() : std::vector<double>());
    state_.atlas = update.atlas;
    if (update.shift.defined()) state_.learner->follow(update.shift, stage());
  }
  if (state_.atlas.is_same(before)) return std::nullopt;
  return (state_.atlas - before).detach().square().mean().sqrt().item<double>();
}

TrainingNews Trainer::news(double done) const {
  const EpochSums& s = state_.sums;
  const double n = double(std::max<std::int64_t>(1, s.steps));
  TrainingNews out;
  out.state = &state_;
  out.stage = stage();
  out.fraction = done;
  out.rate = schedule_.rate(done);
  out.means = {s.energy / n,      s.sim / n,  s.reg / n,  s.atlas_pairs / n,
               s.image_pairs / n, s.dice / n, s.norm / n, s.steps};
  out.steps_an_epoch = steps_an_epoch();
  return out;
}

std::optional<Validation> Trainer::validate_if_due(bool stage_ends) const {
  const int every = config_.train.validate_every;
  const Position& p = state_.position;
  // To optimise the registration of others takes as long as many epochs.
  const bool often = every > 0 && config_.train.learns();
  const bool due = stage_ends || (often && (p.epoch % every == 0 || p.atlas_is_final));
  if (data_.validation().empty() || !due) return std::nullopt;
  return validate(velocities(), flow_, state_.atlas, data_, energy_);
}

void Trainer::keep_best(double score) {
  if (state_.best_score && !(score > *state_.best_score)) {
    ++state_.since_best;
    return;
  }
  state_.best_score = score;
  state_.since_best = 0;
  state_.learner->forget_best();
  // Only what belongs to the final atlas may be published.
  if (state_.position.atlas_is_final) state_.learner->keep_best();
}

void Trainer::stop_on_plateau() {
  Position& p = state_.position;
  if (config_.train.patience == 0 || state_.since_best < config_.train.patience) return;
  state_.since_best = 0;
  // The atlas stays from now on, and the network is trained a little more against it.
  if (p.atlas_is_final) p.finished = true;
  p.atlas_is_final = true;
  state_.best_score.reset();
}

void Trainer::end_epoch(bool stage_ends) {
  Position& p = state_.position;
  const double done = stage_ends ? schedule_.stages()[p.stage].end : fraction();
  ++p.epoch;
  ++p.epochs;
  p.step = 0;
  const std::optional<double> atlas_change = update_atlas_if_due(stage_ends, done);
  const std::optional<Validation> validation = validate_if_due(stage_ends);
  if (validation && stage() == 1) keep_best(validation->score());

  TrainingNews told = news(done);
  told.atlas_change = atlas_change;
  if (validation) told.validation = &*validation;
  state_.metrics += metrics_line(told);
  tell(told);
  state_.sums = {};
  if (state_.atlas_gradient.defined()) state_.atlas_gradient.zero_();
  stop_on_plateau();
}

void Trainer::checkpoint_if_due() {
  if (now() - last_checkpoint_ >= 60 * config_.train.checkpoint_minutes) write_checkpoint_now();
}

void Trainer::write_checkpoint_now() {
  state_.position.seconds = seconds();
  if (data_.team().leads()) write_checkpoint(run_, state_, identity_);
  last_checkpoint_ = now();
}

void Trainer::stop_if_asked() {
  const int signal = data_.team().is_alone() ? stop_requested() : agreed_signal_;
  if (signal == 0) return;
  write_checkpoint_now();
  data_.team().pulse();  // nobody leaves before it is written: mpirun would end the others
  throw Interrupted(signal, fmt::format("stopped after step {}, which '{}' holds",
                                        state_.position.steps, run_.folder.string()));
}

at::Tensor Trainer::registered(std::size_t subject) const {
  const at::NoGradGuard no_grad;
  return state_.learner->registered(state_.atlas, subject, 1);
}

double Trainer::time_step(int coarsening) {
  const auto saved = state_.position;
  for (std::size_t s = 0; s < schedule_.stages().size(); ++s)
    if (schedule_.stages()[s].coarsening == coarsening) state_.position.stage = s;
  state_.learner->begin_stage(coarsening);
  order_ = order_of(0);
  step(subjects_of(0), 0.0);
  const double begin = now();
  step(subjects_of(0), 0.0);
  const double taken = now() - begin;
  state_.position = saved;
  return taken;
}

}  // namespace aladdin
