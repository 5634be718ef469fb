// The one list of all settings: key, place in the struct, meaning, constraint. It drives the TOML
// files, --set, the checks, the documentation and the hash; a new setting is a member in config.h and
// a line here.
//
//   visit_settings(config, [](const Setting& setting, auto& value) { … });
//
// calls with value as bool&, int&, std::uint64_t&, double&, std::string&, std::vector<int>&,
// std::vector<double>& or an enum (choice.h), const for a const Config, section after section.
#pragma once

#include <array>
#include <string_view>

#include "aladdin/config/config.h"
#include "aladdin/config/constraint.h"

namespace aladdin {

struct Setting {
  std::string_view key;  // "train.rate"
  Constraint constraint;
  std::string_view meaning;  // one line

  std::string_view section() const { return key.substr(0, key.find('.')); }
  std::string_view name() const { return key.substr(key.find('.') + 1); }
};

struct Section {
  std::string_view name, meaning;
};

inline constexpr std::array<Section, 6> kSections{{
    {"network", "The network and the velocity that it predicts"},
    {"loss",
     "The energy, per image: sim + lambda reg + volume (log det)^2 + gamma1 atlas pairs + gamma2 image pairs"},
    {"atlas", "How the atlas starts and how it is updated"},
    {"train", "The training"},
    {"optimise",
     "Optimisation of velocities without a network: by train.engine, or to refine a result"},
    {"demons", "ITK's demons, which register for the engines joshi and absorb"},
}};

template <class AnyConfig, class Visitor>
void visit_network(AnyConfig& c, Visitor& visit) {
  auto& n = c.network;
  visit({"network.width", between(1, 1024), "channels at full resolution"}, n.width);
  visit({"network.depth", between(2, 6), "number of times that the resolution is halved"}, n.depth);
  visit({"network.velocity_scale", between(1, 2), "1: velocity at full resolution, 2: at half"},
        n.velocity_scale);
  visit({"network.passes", passes(),
         "downsampling of each pass; every pass refines the last; [1]: one pass, as in the paper"},
        n.passes);
  visit({"network.squarings", between(1, 12), "steps of scaling and squaring"}, n.squarings);
  visit({"network.flow", one_of<FlowKind>(),
         "what the network predicts: a velocity, or a displacement of the image or the atlas"},
        n.flow);
  visit({"network.published", anything(),
         "the published code's quirks: residual sums, first flow, flow in [-1, 1], zero border"},
        n.published);
}

template <class AnyConfig, class Visitor>
void visit_loss(AnyConfig& c, Visitor& visit) {
  auto& l = c.loss;
  visit({"loss.energy", one_of<EnergyKind>(), "the energy of this method, see docs/methods.md"},
        l.energy);
  visit({"loss.similarity", one_of<SimilarityKind>(), "how two images are compared"}, l.similarity);
  visit({"loss.window", odd_between(3, 99), "lncc: voxels along each axis"}, l.window);
  visit({"loss.bins", between(4, 256), "mi: bins of the histogram"}, l.bins);
  visit({"loss.sim", at_least(0), "weight of the similarity"}, l.sim);
  visit({"loss.regulariser", one_of<RegulariserKind>(),
         "bending or gradient of Phi_{1,0}, or gradient of the velocity"},
        l.regulariser);
  visit({"loss.lambda", at_least(0), "weight of the regulariser"}, l.lambda);
  visit({"loss.length", one_of<LengthUnit>(),
         "unit of length for bending: voxel (the mean one of the working grid) or mm"},
        l.length);
  visit({"loss.volume", at_least(0), "weight of the mean squared log determinant"}, l.volume);
  visit({"loss.gamma1", at_least(0), "weight of the pairs in atlas space"}, l.gamma1);
  visit({"loss.gamma2", at_least(0), "weight of the pairs in image space"}, l.gamma2);
  visit(
      {"loss.supervise", at_least(0), "weight of the Dice of the training labels; 0: images only"},
      l.supervise);
  visit({"loss.magnitude", at_least(0), "dalca: weight of the squared displacement, 1/mm^2"},
        l.magnitude);
  visit({"loss.middle", at_least(0), "dalca, he: weight of the squared mean displacement, 1/mm^2"},
        l.middle);
  visit({"loss.cycle", at_least(0), "he: weight of the squared inverse error, 1/mm^2"}, l.cycle);
  visit({"loss.published", anything(),
         "the published code's terms: units, normalisation, pairs of the halves of a batch"},
        l.published);
}

template <class AnyConfig, class Visitor>
void visit_atlas(AnyConfig& c, Visitor& visit) {
  auto& a = c.atlas;
  visit({"atlas.update", one_of<AtlasRule>(),
         "by Eq. 4, by Eq. 3, learned by SGD each epoch or by Adam each step, or fixed"},
        a.update);
  visit({"atlas.init", anything(), "mean, medoid, or an image file"}, a.init);
  visit({"atlas.every", at_least(1), "epochs between updates"}, a.every);
  visit({"atlas.rate", more_than(0),
         "learned: rate of its SGD, one step per epoch; times the voxels over 80 x 192 x 192"},
        a.rate);
  visit({"atlas.floor", between(0, 1), "forward: smallest weight of a determinant"}, a.floor);
  visit({"atlas.centre", anything(), "keep the mean displacement of the cohort at zero"}, a.centre);
  visit({"atlas.robust", anything(),
         "optimise: a subject that matches far worse than the others weighs less"},
        a.robust);
}

template <class AnyConfig, class Visitor>
void visit_train(AnyConfig& c, Visitor& visit) {
  auto& t = c.train;
  visit({"train.engine", one_of<Engine>(),
         "learn a network or optimise velocities (auto: up to 40 subjects), or a method's own"},
        t.engine);
  visit({"train.affine", anything(), "align all subjects affinely to their evolving mean first"},
        t.affine);
  visit({"train.epochs", between(1, 1e6),
         "rounds through the training subjects, for each stage of the pyramid"},
        t.epochs);
  visit(
      {"train.minutes", at_least(0),
       "more than 0: train for so many minutes, shared by the stages like the work of the epochs"},
      t.minutes);
  visit(
      {"train.teach", at_least(0),
       "learn: weight of the distance to velocities that are optimised first, with the atlas; 0: off"},
      t.teach);
  visit({"train.least", at_least(1),
         "learn: smallest number of subjects per epoch; a smaller cohort is repeated"},
        t.least);
  visit({"train.batch", between(1, 1024), "subjects per step"}, t.batch);
  visit({"train.rate", more_than(0), "highest learning rate of Adam"}, t.rate);
  visit({"train.schedule", one_of<RateSchedule>(), "course of the rate"}, t.schedule);
  visit({"train.warmup", fraction(), "cosine: fraction of the training with a rising rate"},
        t.warmup);
  visit({"train.milestones", ascending_fractions(),
         "multistep: fractions of the training at which the rate drops"},
        t.milestones);
  visit({"train.decay", share(), "multistep: factor of each drop"}, t.decay);
  visit({"train.clip", at_least(0), "largest norm of a gradient; 0: no limit"}, t.clip);
  visit({"train.average", fraction(),
         "decay of the exponential average of the weights; 0: no average"},
        t.average);
  visit({"train.augment", at_least(0), "strength of random affine and intensity changes; 0: none"},
        t.augment);
  visit({"train.pyramid", coarsening(), "downsampling of each stage; [1]: off"}, t.pyramid);
  visit({"train.last", fraction(), "fraction of the training after the last atlas update"}, t.last);
  visit({"train.refine", at_least(0),
         "learn: most iterations that refine the network's result, of any image; 0: none"},
        t.refine);
  visit({"train.validate_every", at_least(0), "epochs between validations; 0: only at the end"},
        t.validate_every);
  visit(
      {"train.patience", at_least(0), "stop after so many validations without progress; 0: never"},
      t.patience);
  visit({"train.checkpoint_minutes", at_least(0), "minutes between checkpoints"},
        t.checkpoint_minutes);
  visit({"train.seed", anything(), "seed of all random numbers"}, t.seed);
}

template <class AnyConfig, class Visitor>
void visit_optimise(AnyConfig& c, Visitor& visit) {
  auto& o = c.optimise;
  visit({"optimise.iterations", at_least(1),
         "most iterations on each grid for an image registered without a network"},
        o.iterations);
  visit({"optimise.tolerance", more_than(0),
         "converged: five iterations lower the energy by less than this share"},
        o.tolerance);
}

template <class AnyConfig, class Visitor>
void visit_demons(AnyConfig& c, Visitor& visit) {
  auto& d = c.demons;
  visit({"demons.sigma", between(0, 10), "Gaussian that smooths the displacement, in voxels"},
        d.sigma);
  visit({"demons.iterations", at_least(1), "iterations of each registration"}, d.iterations);
  visit({"demons.neighbours", at_least(1),
         "absorb: number of nearest images whose mean is the target"},
        d.neighbours);
  visit({"demons.levels", between(1, 10), "absorb: largest number of levels of the hierarchy"},
        d.levels);
}

template <class AnyConfig, class Visitor>
void visit_settings(AnyConfig& config, Visitor&& visitor) {
  // A braced Setting does not deduce through a generic lambda: the type is said here, once.
  auto visit = [&](const Setting& setting, auto& value) { visitor(setting, value); };
  visit_network(config, visit);
  visit_loss(config, visit);
  visit_atlas(config, visit);
  visit_train(config, visit);
  visit_optimise(config, visit);
  visit_demons(config, visit);
}

}  // namespace aladdin
