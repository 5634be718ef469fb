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
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/method/fitted_learner.h"
#include "aladdin/method/method.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

at::Tensor mean_of(const std::vector<at::Tensor>& images) {
  at::Tensor sum = at::zeros_like(images[0], at::kDouble);
  for (const at::Tensor& image : images) sum += image;
  return (sum / double(images.size())).to(at::kFloat);
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).square().mean().item<double>();
}

std::vector<double> distances_to(const at::Tensor& target, const std::vector<at::Tensor>& images) {
  std::vector<double> out;
  for (const at::Tensor& image : images) out.push_back(distance(image, target));
  return out;
}

// The candidates in the order of their distance from images[node], the nearest first.
std::vector<std::size_t> nearest(std::size_t node, std::vector<std::size_t> candidates,
                                 const std::vector<at::Tensor>& images, std::size_t count) {
  std::vector<double> d(images.size());
  for (const std::size_t c : candidates) d[c] = distance(images[c], images[node]);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](std::size_t a, std::size_t b) { return d[a] < d[b]; });
  candidates.resize(std::min(count, candidates.size()));
  return candidates;
}

// Each of so many images is in one node.
std::vector<std::vector<std::size_t>> take_nodes(const nlohmann::json& nodes, std::int64_t images) {
  std::vector<std::vector<std::size_t>> out;
  std::vector<int> times(static_cast<std::size_t>(images));
  bool empty = false;
  for (const auto& node : nodes) {
    std::vector<std::size_t>& places = out.emplace_back();
    for (const auto& place : node) {
      places.push_back(static_cast<std::size_t>(take_count(place, "nodes", images - 1)));
      ++times[places.back()];
    }
    empty = empty || places.empty();
  }
  if (empty || std::ranges::count(times, 1) != images)
    fail("the 'nodes' of a checkpoint do not hold each of the {} images once", images);
  return out;
}

class AbsorbLearner : public FittedLearner {
 public:
  AbsorbLearner(const Config& config, const TrainingData& data);

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

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

  int rounds_;
  Nodes nodes_;
  int round_ = 0, level_ = 0, round_of_level_ = 0;
  std::size_t visited_ = 0;          // images, in this round
  std::vector<at::Tensor> targets_;  // of the nodes in this round; undefined: it stays
};

AbsorbLearner::AbsorbLearner(const Config& config, const TrainingData& data)
    : FittedLearner(config, data), rounds_(config.train.epochs.back()) {
  for (std::size_t k = 0; k < data.training().size(); ++k) nodes_.push_back({k});
}

int AbsorbLearner::rounds_of_level(int level) const {
  const int all = std::max(1, rounds_ - 1), levels = config_.demons.levels;
  return all / levels + (level < all % levels ? 1 : 0);
}

bool AbsorbLearner::is_last_round() const { return round_ + 1 >= rounds_; }

at::Tensor AbsorbLearner::warped(std::size_t place) const {
  return ops::warp(data_.image(data_.training()[place]), displacements_[place]);
}

std::vector<at::Tensor> AbsorbLearner::node_images() const {
  std::vector<at::Tensor> out;
  for (const auto& members : nodes_) {
    std::vector<at::Tensor> images;
    for (const std::size_t place : members) images.push_back(warped(place));
    out.push_back(mean_of(images));
  }
  return out;
}

void AbsorbLearner::begin_round() {
  targets_.assign(nodes_.size(), {});
  if (is_last_round()) {
    log::info("absorb        round {}: every image to the mean", round_ + 1);
    return;
  }
  const auto images = node_images();
  const auto from_mean = distances_to(mean_of(images), images);
  std::size_t moving = 0;
  for (std::size_t node = 0; node < images.size(); ++node) {
    std::vector<std::size_t> nearer;
    for (std::size_t other = 0; other < images.size(); ++other)
      if (from_mean[other] < from_mean[node]) nearer.push_back(other);
    if (nearer.empty()) continue;
    std::vector<at::Tensor> bundle;
    for (const std::size_t other :
         nearest(node, nearer, images, static_cast<std::size_t>(config_.demons.neighbours)))
      bundle.push_back(images[other]);
    targets_[node] = mean_of(bundle);
    ++moving;
  }
  log::info("absorb        round {}, level {}: {} of {} nodes move, mean distance {:.6f}",
            round_ + 1, level_ + 1, moving, nodes_.size(),
            std::accumulate(from_mean.begin(), from_mean.end(), 0.0) / double(images.size()));
}

void AbsorbLearner::move_node(std::size_t node) {
  if (!targets_[node].defined()) return;
  std::vector<at::Tensor> images;
  for (const std::size_t place : nodes_[node]) images.push_back(warped(place));
  const at::Tensor image = mean_of(images);
  const at::Tensor w = register_to(targets_[node], image, no_displacement(image));
  for (const std::size_t place : nodes_[node])
    displacements_[place] = ops::compose(displacements_[place], w);
}

void AbsorbLearner::move_to_mean(std::size_t place, const at::Tensor& atlas) {
  const at::Tensor image = warped(place);
  displacements_[place] =
      ops::compose(displacements_[place], register_to(atlas, image, no_displacement(image)));
}

AbsorbLearner::Nodes AbsorbLearner::bundled() const {
  const auto images = node_images();
  const auto from_mean = distances_to(mean_of(images), images);
  std::vector<std::size_t> free(images.size());
  std::iota(free.begin(), free.end(), 0);
  std::stable_sort(free.begin(), free.end(),
                   [&](std::size_t a, std::size_t b) { return from_mean[a] < from_mean[b]; });
  Nodes out;
  while (!free.empty()) {
    const std::size_t seed = free.front();
    free.erase(free.begin());
    std::vector<std::size_t> members = nodes_[seed];
    for (const std::size_t other :
         nearest(seed, free, images, static_cast<std::size_t>(config_.demons.neighbours - 1))) {
      members.insert(members.end(), nodes_[other].begin(), nodes_[other].end());
      std::erase(free, other);
    }
    out.push_back(members);
  }
  return out;
}

void AbsorbLearner::end_round() {
  visited_ = 0;
  ++round_;
  ++round_of_level_;
  if (round_of_level_ < rounds_of_level(level_) || level_ + 1 >= config_.demons.levels ||
      is_last_round() || nodes_.size() < 2)
    return;
  const std::size_t before = nodes_.size();
  nodes_ = bundled();
  ++level_;
  round_of_level_ = 0;
  log::info("absorb        level {}: {} nodes are bundled into {}", level_ + 1, before,
            nodes_.size());
}

StepResult AbsorbLearner::learn(const at::Tensor& atlas, bool, const Step& step) {
  const at::NoGradGuard no_grad;
  if (visited_ == 0 || targets_.empty()) begin_round();
  double sum = 0;
  for (const std::size_t subject : step.subjects) {
    const std::size_t here = place(subject);
    if (is_last_round()) {
      move_to_mean(here, atlas);
    } else {
      // A node moves when its first image is visited.
      for (std::size_t node = 0; node < nodes_.size(); ++node)
        if (nodes_[node].front() == here) move_node(node);
    }
    sum += distance(warped(here), atlas);
    ++visited_;
  }
  if (visited_ >= displacements_.size()) end_round();
  return mean_distance(sum, step);
}

void AbsorbLearner::save(Safetensors& file) const {
  FittedLearner::save(file);
  const nlohmann::json state{{"nodes", nodes_},
                             {"round", round_},
                             {"level", level_},
                             {"round_of_level", round_of_level_},
                             {"visited", visited_}};
  file.metadata["absorb"] = state.dump();
  for (std::size_t node = 0; node < targets_.size(); ++node)
    add_tensor(file, fmt::format("target.{}", node), targets_[node]);
}

void AbsorbLearner::restore(const Safetensors& file) {
  FittedLearner::restore(file);
  const auto state = parse_json<nlohmann::json>(file.text("absorb"));
  const auto count = [&](const char* name, std::int64_t most) {
    return take_count(state.at(name), name, most);
  };
  const auto images = static_cast<std::int64_t>(displacements_.size());
  nodes_ = take_nodes(state.at("nodes"), images);
  round_ = static_cast<int>(count("round", kMostEpochs));
  level_ = static_cast<int>(count("level", config_.demons.levels - 1));
  round_of_level_ = static_cast<int>(count("round_of_level", kMostEpochs));
  visited_ = static_cast<std::size_t>(count("visited", images));
  targets_.assign(nodes_.size(), {});
  const at::Tensor like = at::empty(data_.image_shape(), data_.device());
  for (std::size_t node = 0; node < targets_.size(); ++node)
    if (const std::string name = fmt::format("target.{}", node); file.contains(name))
      targets_[node] = take_tensor(file, name, like);
}

const RegisteredMethod kAbsorb({.about = described(Engine::absorb),
                                .learner = new_learner<AbsorbLearner>});

}  // namespace
}  // namespace aladdin
