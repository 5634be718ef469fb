// Jia et al., "ABSORB: atlas building by self-organized registration and bundling" (NeuroImage 2010),
// row D: images move towards similar ones that are nearer to the middle, those that have become alike
// are bundled, and the bundles go on as one image each, level by level.
//
// A round (an epoch) on a level: with M the mean of the nodes' images, every node i looks at its
// `demons.neighbours` nearest nodes (mean squared difference) among those nearer to M than i, and is
// registered to their mean by diffeomorphic demons, histograms matched; the node nearest to M stays.
// The displacement is composed to those of all images in the node:  u <- u o (id + w).
//
// When the rounds of a level are over, nodes are bundled: from the node nearest to M outwards, a node
// takes its nearest neighbours that are still free with it. A bundle's image is the mean of its members.
// The last round registers every image to M once, from where it is (`registration to mean: 1`).
//
// The rounds (train.epochs) are shared by the levels; one is left for the last. Subjects that are not
// for training are registered to the final mean. How the original decides that a level has converged
// is not in the paper that we follow: here it has a fixed number of rounds.
#pragma once

#include "aladdin/method/fitted_learner.h"

namespace aladdin {

class AbsorbLearner : public FittedLearner {
 public:
  AbsorbLearner(const Config& config, const TrainingData& data);

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 protected:
  at::Tensor register_to(const at::Tensor& atlas, const at::Tensor& image,
                         const at::Tensor& start) const override;

 private:
  using Nodes = std::vector<std::vector<std::size_t>>;  // the places of each node's images

  void begin_round();
  void end_round();
  void move_node(std::size_t node);
  void move_to_mean(std::size_t place, const at::Tensor& atlas);
  // The rounds of a level, the last round of all aside.
  int rounds_of_level(int level) const;
  bool is_last_round() const;
  at::Tensor warped(std::size_t place) const;
  std::vector<at::Tensor> node_images() const;
  Nodes bundled() const;

  DemonsConfig config_;
  int rounds_;
  Nodes nodes_;
  int round_ = 0, level_ = 0, round_of_level_ = 0;
  std::size_t visited_ = 0;          // images, in this round
  std::vector<at::Tensor> targets_;  // of the nodes in this round; undefined: it stays
};

}  // namespace aladdin
