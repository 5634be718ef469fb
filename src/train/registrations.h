// The velocity of every subject against the atlas that is published, found in rounds:
//
//   centring      v_i of the training subjects against the atlas A that was trained against, and what they have in
//                 common, c
//   registering   v - c of every subject, v as `aladdin register` finds it with the model that is published: one image
//                 has one answer, to the bit; and the mean displacement of the training subjects is zero
//
// Without `atlas.centre` there is only the last. The methods without gradients have found the training subjects' already.
// Each velocity (or displacement) and each c is kept in RUN/checkpoints/registrations/ as soon as it is found: a build
// that is killed here resumes to the same bits. A velocity belongs to the training that ended just so, to its round and to
// what had been found in common before.
#pragma once

#include "aladdin/method/velocity_learner.h"
#include "aladdin/network/registrar.h"
#include "aladdin/run/run_directory.h"
#include "aladdin/train/trainer.h"
#include "aladdin/train/velocity_store.h"

namespace aladdin {

class Registrations {
 public:
  // Ends with all rounds but the last. `identity` is that of the checkpoints.
  Registrations(const RunDirectory& run, const Config& config, const TrainingData& data,
                TrainingState& state, const std::string& identity);
  Registrations(const Registrations&) = delete;
  Registrations& operator=(const Registrations&) = delete;

  // Of a subject that this process has.
  at::Tensor velocity(std::size_t subject) const;
  // The same for several at once, side by side: velocity() then has them.
  void prepare(const std::vector<std::size_t>& subjects) const;

  // What registers images to atlas(), as `aladdin register` will.
  const Registrar* registrar() const { return rounds_.back().registrar.get(); }
  // Of that; what the file holds.
  Model model() const;

  const at::Tensor& atlas() const { return rounds_.back().atlas; }    // in the middle of the cohort
  const at::Tensor& centre() const { return rounds_.back().centre; }  // undefined: none

 private:
  struct Round {
    std::string name;
    at::Tensor centre;  // what was found in common before
    at::Tensor atlas;   // A moved by that: what this round registers to
    std::string given;  // stands for them
    at::Tensor shift;   // what its velocities have in common; undefined in the last
    std::unique_ptr<Registrar> registrar{};  // to `atlas`
  };

  void begin(const std::string& round);
  void find_shift();
  // Of the last round; undefined: not kept. Every process has the same answer.
  at::Tensor kept_shift() const;
  // Whether the learner has found it itself.
  bool was_fitted(std::size_t subject) const;
  at::Tensor found(std::size_t round, std::size_t subject) const;
  // Finds what is not kept yet of these, side by side.
  void find(std::size_t round, const std::vector<std::size_t>& subjects) const;
  std::vector<float> find_one(std::size_t round, const ImagePair& images) const;
  VelocityStore::Key key(std::size_t round, const std::string& of) const;
  // What was kept, or what is made now.
  at::Tensor kept(std::size_t round, std::size_t subject,
                  const std::function<at::Tensor()>& make) const;

  const RunDirectory& run_;
  const Config& config_;
  const TrainingData& data_;
  Learner& learner_;
  at::Tensor seen_;
  Flow flow_;
  VelocityStore store_;
  std::vector<Round> rounds_;
};

// Calls use() of those subjects that this process has, and prepare() of the next few of them before, and shows how far it
// is. A signal ends it with Interrupted.
void publish_each(const std::string& what, const RunDirectory& run, const TrainingData& data,
                  const std::vector<std::size_t>& subjects,
                  const std::function<void(const std::vector<std::size_t>& some)>& prepare,
                  const std::function<void(std::size_t subject)>& use);

}  // namespace aladdin
