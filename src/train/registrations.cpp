#include "aladdin/train/registrations.h"

#include "aladdin/core/checksum.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/text.h"
#include "aladdin/method/atlas.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

constexpr const char* kShift = "common";

// What all registrations come from. The first process says it, as it says what a checkpoint holds.
std::string origin_of(const TrainingState& state, const std::string& identity, const Team& team) {
  std::string origin;
  if (team.leads()) {
    Safetensors all;
    add_tensor(all, "atlas", state.atlas);
    state.learner->save(all);
    origin = hex_checksum(fmt::format("{}\n{} {}", identity, state.position.steps, all.digest()));
  }
  return team.gather(origin)[0];
}

std::string hex_checksum_of(const at::Tensor& tensor) {
  if (!tensor.defined()) return "-";
  const at::Tensor plain = tensor.cpu().contiguous();
  return hex_checksum({static_cast<const char*>(plain.data_ptr()), plain.nbytes()});
}

}  // namespace

Registrations::Registrations(const RunDirectory& run, const Config& config,
                             const TrainingData& data, TrainingState& state,
                             const std::string& identity)
    : run_(run),
      config_(config),
      data_(data),
      learner_(*state.learner),
      seen_(state.atlas),
      flow_(config.network),
      instance_(config, data.spacing()),
      store_(run.registrations(), origin_of(state, identity, data.team()),
             flow_.velocity_sizes(data.image_shape())) {
  data_.team().lead([&] {
    store_.remove_other_origins();
    if (const auto n = store_.count(); n > 0)
      log::info("publishing goes on, with {} of before", counted(n, "file"));
  });
  learner_.use_best();
  if (config_.atlas.centre) {
    begin("centring");
    find_shift();
    // Refinement goes its own way in the same direction for many subjects: the middle is found again.
    if (refines()) {
      begin("refining");
      find_shift();
    }
  }
  begin("registering");
}

void Registrations::begin(const std::string& name) {
  const at::NoGradGuard no_grad;
  Round next{.name = name, .centre = {}, .atlas = seen_, .given = {}, .shift = {}};
  if (!rounds_.empty()) {
    const Round& last = rounds_.back();
    next.centre = last.centre.defined() ? last.centre + last.shift : last.shift;
    next.atlas = ops::warp(seen_, flow_(next.centre, data_.image_shape()).to_atlas);
  }
  next.given = hex_checksum_of(next.centre);
  rounds_.push_back(std::move(next));
}

void Registrations::find_shift() {
  Round& round = rounds_.back();
  round.shift = kept_shift();
  if (round.shift.defined()) return;
  const std::size_t r = rounds_.size() - 1;
  publish_each(round.name, run_, data_, data_.training(), [&](std::size_t subject) {
    found(r, subject);
    if (r > 0) store_.remove(key(r - 1, std::to_string(subject)));  // it has done its work
  });
  AtlasConfig only_move = config_.atlas;
  only_move.update = AtlasRule::learned;
  const Velocities velocities = [&](std::size_t subject) { return found(r, subject); };
  round.shift = update_atlas(velocities, flow_, round.atlas, data_, only_move).shift;
  data_.team().lead([&] { store_.put(key(r, kShift), round.shift); });
}

at::Tensor Registrations::kept_shift() const {
  const Team& team = data_.team();
  std::optional<at::Tensor> kept;
  if (team.leads()) kept = store_.find(key(rounds_.size() - 1, kShift));
  if (team.gather(std::vector<double>{double(kept.has_value())})[0][0] == 0) return {};
  at::Tensor shift = kept ? *kept : at::empty(flow_.velocity_sizes(data_.image_shape()));
  team.exchange(shift, {0});
  return shift.to(data_.device());
}

at::Tensor Registrations::found(std::size_t r, std::size_t subject) const {
  return kept(r, subject, [&] {
    if (r == 0) return learner_.registered(seen_, subject, 1);
    return refined(rounds_[r].atlas, subject, found(r - 1, subject) - rounds_[r - 1].shift);
  });
}

at::Tensor Registrations::velocity(std::size_t subject) const {
  const std::size_t last = rounds_.size() - 1;
  const bool training = data_.dataset().cohort().subjects[subject].is_for_training();
  // More iterations would go the same way again, off the middle.
  if (training && last > 0) return found(last - 1, subject) - rounds_[last - 1].shift;
  return kept(last, subject, [&] {
    // Without a network, others than the training subjects have only ever met the published atlas.
    if (config_.train.optimises() && !training) return learner_.registered(atlas(), subject, 1);
    at::Tensor v = learner_.registered(seen_, subject, 1);
    if (centre().defined()) v = v - centre();
    return refines() ? refined(atlas(), subject, v) : v;
  });
}

at::Tensor Registrations::refined(const at::Tensor& atlas, std::size_t subject,
                                  const at::Tensor& start) const {
  return instance_.refine_velocity(atlas, data_.batch({subject}, false), start,
                                   config_.train.refine);
}

VelocityStore::Key Registrations::key(std::size_t round, const std::string& of) const {
  return {rounds_[round].name, rounds_[round].given, of};
}

at::Tensor Registrations::kept(std::size_t round, std::size_t subject,
                               const std::function<at::Tensor()>& make) const {
  const VelocityStore::Key wanted = key(round, std::to_string(subject));
  if (const auto before = store_.find(wanted)) return before->to(data_.device());
  // As it would come back: the order of its values in memory may change a sum.
  const at::Tensor made = make().detach().cpu().contiguous();
  if (store_.put(wanted, made))
    log::detail("{}: {} is kept", rounds_[round].name,
                data_.dataset().cohort().subjects[subject].id);
  return made.to(data_.device());
}

void publish_each(const std::string& what, const RunDirectory& run, const TrainingData& data,
                  const std::vector<std::size_t>& subjects,
                  const std::function<void(std::size_t)>& use) {
  const auto all = static_cast<std::int64_t>(subjects.size());
  Progress progress(what, (all + data.team().size() - 1) / data.team().size());
  data.for_each_own(subjects, use, [&](int signal) {
    progress.advance();
    if (signal != 0)
      throw Interrupted(signal, fmt::format("stopped after the training, which '{}' holds with the "
                                            "registrations so far",
                                            run.folder.string()));
  });
}

}  // namespace aladdin
