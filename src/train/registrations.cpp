#include "aladdin/train/registrations.h"

#include <algorithm>

#include "aladdin/core/checksum.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/text.h"
#include "aladdin/method/atlas.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/ops/warp.h"
#include "aladdin/train/run_model.h"

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
      store_(run.registrations(), origin_of(state, identity, data.team()),
             flow_.velocity_sizes(data.image_shape())) {
  data_.team().lead([&] {
    store_.remove_other_origins();
    if (const auto n = store_.count(); n > 0)
      log::info("publishing resumes, with {} kept from before", counted(n, "file"));
  });
  learner_.use_best();
  if (config_.atlas.centre) {
    begin("centring");
    find_shift();
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
  next.registrar =
      std::make_unique<Registrar>(model_of_run(config_, data_, learner_, seen_, next.centre));
  rounds_.push_back(std::move(next));
}

void Registrations::find_shift() {
  Round& round = rounds_.back();
  round.shift = kept_shift();
  if (round.shift.defined()) return;
  const std::size_t r = rounds_.size() - 1;
  publish_each(
      round.name, run_, data_, data_.training(),
      [&](const std::vector<std::size_t>& some) { find(r, some); },
      [&](std::size_t subject) { found(r, subject); });
  AtlasConfig only_move = config_.atlas;
  only_move.update = AtlasRule::learned;
  const Velocities velocities = [&](std::size_t subject) { return found(r, subject); };
  const AtlasUpdate update = update_atlas(velocities, flow_, round.atlas, data_, only_move);
  round.shift = update.shift;
  log::detail("{}: {:.4f} mm in common", round.name, update.shift_mm);
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

Model Registrations::model() const {
  return model_of_run(config_, data_, learner_, seen_, centre());
}

bool Registrations::was_fitted(std::size_t subject) const {
  return config_.train.fits() && data_.dataset().cohort().subjects[subject].is_for_training();
}

at::Tensor Registrations::found(std::size_t r, std::size_t subject) const {
  return kept(r, subject, [&] {
    const Round& round = rounds_[r];
    if (was_fitted(subject)) return learner_.registered(seen_, subject, 1);
    // What centring has found already.
    if (const auto before = r > 0 ? store_.find(key(0, std::to_string(subject))) : std::nullopt)
      return velocity_tensor(round.registrar->centred(values_of(*before)), flow_, data_, 1);
    return velocity_tensor(find_one(r, image_pair(seen_, data_, subject)), flow_, data_, 1);
  });
}

std::vector<float> Registrations::find_one(std::size_t r, const ImagePair& images) const {
  Registrar& registrar = *rounds_[r].registrar;
  return registrar.centred(registrar.uncentred(images.image, images.mask));
}

void Registrations::find(std::size_t r, const std::vector<std::size_t>& subjects) const {
  std::vector<std::size_t> missing;
  for (const std::size_t subject : subjects) {
    if (was_fitted(subject)) continue;
    const std::string name = std::to_string(subject);
    if (!store_.find(key(r, name)) && !(r > 0 && store_.find(key(0, name))))
      missing.push_back(subject);
  }
  std::vector<ImagePair> images;
  std::vector<std::vector<float>> velocities(missing.size());
  for (const std::size_t subject : missing) images.push_back(image_pair(seen_, data_, subject));
  parallel_for(static_cast<std::int64_t>(missing.size()),
               [&](std::int64_t k) { velocities[k] = find_one(r, images[k]); });
  for (std::size_t k = 0; k < missing.size(); ++k)
    kept(r, missing[k], [&] { return velocity_tensor(velocities[k], flow_, data_, 1); });
}

void Registrations::prepare(const std::vector<std::size_t>& subjects) const {
  find(rounds_.size() - 1, subjects);
}

at::Tensor Registrations::velocity(std::size_t subject) const {
  return found(rounds_.size() - 1, subject);
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
                  const std::function<void(const std::vector<std::size_t>&)>& prepare,
                  const std::function<void(std::size_t)>& use) {
  const auto all = static_cast<std::int64_t>(subjects.size());
  Progress progress(what, (all + data.team().size() - 1) / data.team().size());
  std::vector<std::size_t> own;
  for (const std::size_t subject : subjects)
    if (data.owner(subject) == data.team().rank()) own.push_back(subject);
  std::size_t next = 0, prepared = 0;
  const auto use_next = [&](std::size_t subject) {
    if (next == prepared) {
      const auto end = std::min(next + static_cast<std::size_t>(threads()), own.size());
      prepare({own.begin() + std::ptrdiff_t(next), own.begin() + std::ptrdiff_t(end)});
      prepared = end;
    }
    ++next;
    use(subject);
  };
  data.for_each_own(subjects, use_next, [&](int signal) {
    progress.advance();
    if (signal != 0)
      throw Interrupted(signal, fmt::format("stopped after the training, which '{}' holds with the "
                                            "registrations so far",
                                            run.folder.string()));
  });
}

}  // namespace aladdin
