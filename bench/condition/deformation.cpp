// deformation RUN [MOST]: how far validation subjects are from the atlas of their own age and sex, and from the population's.
//
// For each: the mean squared velocity of its registration (mm²), the Dice of the labels that the atlas gives it, and its bridge
// Dice, with the transforms of both composed to the population's atlas. Pairs are tested by Wilcoxon's signed ranks. RUN has
// the covariates 'age' and 'sex'; MOST takes so many validation subjects, evenly spread over the list.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "aladdin/condition/atlas.h"
#include "aladdin/condition/plan.h"
#include "aladdin/condition/weights.h"
#include "aladdin/core/error.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/significance.h"
#include "aladdin/image/io.h"
#include "aladdin/network/registrar.h"
#include "aladdin/transform/pull_back.h"

namespace {

using namespace aladdin;

struct Target {
  const SubjectRecord* subject = nullptr;
  std::string sex;
  double age = 0;
  condition::Atlas own;
};

struct Result {
  double velocity = 0, dice = 0, bridge = 0;
  Chain to_atlas, to_native;  // of the population's atlas
};

std::string value_of(const SubjectRecord& subject, const std::string& name) {
  for (const auto& [key, value] : subject.covariates)
    if (key == name) return value;
  fail("'{}' has no '{}'", subject.id, name);
}

std::vector<Target> targets_of(const RunRecord& record, std::size_t most) {
  std::vector<const SubjectRecord*> all;
  for (const auto& subject : record.subjects)
    if (subject.split == "val") all.push_back(&subject);
  std::vector<Target> out;
  const std::size_t count = std::min(most, all.size());
  for (std::size_t k = 0; k < count; ++k) {
    const SubjectRecord* subject = all[k * all.size() / count];
    out.push_back({subject, value_of(*subject, "sex"), std::stod(value_of(*subject, "age")), {}});
  }
  return out;
}

// One pass for all subjects of a sex.
void make_own_atlases(const condition::RunSubjects& subjects, const std::string& sex,
                      std::vector<Target>& targets) {
  std::vector<Target*> mine;
  for (Target& target : targets)
    if (target.sex == sex) mine.push_back(&target);
  condition::Question question;
  question.at = condition::parse_at("age=60,sex=" + sex);
  const condition::Plan plan = condition::plan_atlases(subjects, question, {});
  fmt::print("sex {}: {} subjects, bandwidth {:.2f} years, left-one-out error {:.4f}\n", sex,
             plan.group.members.size(), plan.bandwidth[0],
             plan.choice->trials[plan.choice->best].error);
  Eigen::MatrixXd weights(static_cast<Eigen::Index>(plan.group.members.size()),
                          static_cast<Eigen::Index>(mine.size()));
  for (std::size_t k = 0; k < mine.size(); ++k) {
    const auto w = condition::local_linear_weights(
        plan.group.x, Eigen::VectorXd::Constant(1, mine[k]->age), plan.bandwidth);
    if (!w) fail("nobody is near the age {}", mine[k]->age);
    weights.col(static_cast<Eigen::Index>(k)) = *w;
  }
  condition::make_atlases(
      subjects, plan.group.members, weights,
      [&](std::size_t k, condition::Atlas&& atlas) { mine[k]->own = std::move(atlas); });
}

// In mm^2, of a velocity in voxels of the grid.
double mean_square(const std::vector<float>& velocity, const Grid& grid) {
  VectorImage voxels(grid);
  voxels.values = velocity;
  double sum = 0;
  for (const float value : voxels_to_mm(voxels).values) sum += double(value) * value;
  return sum / static_cast<double>(grid.voxels());
}

Displacement going_on(VectorImage vectors) {
  Displacement field(std::move(vectors));
  field.beyond = Beyond::edge;
  return field;
}

Result register_to(Registrar& registrar, const Labels& atlas_labels, const Target& target,
                   const std::vector<std::int32_t>& table, bool own) {
  const Image image = read_image(target.subject->image);
  const Labels labels = read_labels(target.subject->label);
  const RegisteredImage done = registrar.register_image(image);
  ExportedFields fields = registrar.fields(done, image.grid);
  Result out;
  out.velocity = mean_square(done.found, velocity_grid(registrar.model()));
  const Labels predicted = pull_back(atlas_labels, {fields.atlas_to_native}, image.grid);
  out.dice = *evaluate::dice(evaluate::index_labels(predicted, table).data(),
                             evaluate::index_labels(labels, table).data(), image.grid.voxels(),
                             static_cast<int>(table.size()))
                  .mean;
  fields.native_to_atlas.beyond = fields.atlas_to_native.beyond = Beyond::edge;
  out.to_atlas = {std::move(fields.native_to_atlas)};
  out.to_native = {std::move(fields.atlas_to_native)};
  if (own) {
    out.to_atlas.emplace(out.to_atlas.begin(), going_on(target.own.to_group));
    out.to_native.emplace_back(going_on(target.own.to_population));
  }
  return out;
}

void add_bridge(std::vector<Result>& results, const std::vector<Target>& targets, const Grid& atlas,
                const std::vector<std::int32_t>& table) {
  evaluate::BridgeVotes votes(atlas, static_cast<int>(table.size()));
  std::vector<Labels> labels;
  std::vector<std::vector<evaluate::LabelIndex>> indices;
  for (const Target& target : targets) {
    labels.push_back(read_labels(target.subject->label));
    indices.push_back(evaluate::index_labels(labels.back(), table));
  }
  for (std::size_t i = 0; i < targets.size(); ++i)
    votes.add({indices[i].data(), &labels[i].grid}, results[i].to_atlas);
  for (std::size_t i = 0; i < targets.size(); ++i)
    results[i].bridge =
        *votes.dice({indices[i].data(), &labels[i].grid}, results[i].to_atlas, results[i].to_native)
             .mean;
}

void compare(const char* what, const std::vector<Result>& population,
             const std::vector<Result>& own, double Result::*member, bool less) {
  std::vector<double> a, b;
  std::int64_t better = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    a.push_back(population[i].*member);
    b.push_back(own[i].*member);
    better += less ? b.back() < a.back() : b.back() > a.back();
  }
  const auto mean = [](const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  };
  fmt::print("{:<28} population {:.4f}  own {:.4f}  better in {} of {}  p {:.3g}\n", what, mean(a),
             mean(b), better, own.size(), evaluate::signed_rank_test(b, a).p);
}

void run(const Path& folder, std::size_t most) {
  const condition::RunSubjects subjects(folder);
  const auto& table = subjects.label_table();
  std::vector<Target> targets = targets_of(subjects.record(), most);
  for (const char* sex : {"F", "M"}) make_own_atlases(subjects, sex, targets);

  const Model model = read_model(RunDirectory{folder}.model());
  Registrar to_population(model);
  const Labels population_labels = read_labels(RunDirectory{folder}.atlas_labels());
  std::vector<Result> population, own;
  for (const Target& target : targets) {
    Model conditional = model;
    conditional.atlas = target.own.padded;
    conditional.centre.clear();
    Registrar to_own(std::move(conditional));
    population.push_back(register_to(to_population, population_labels, target, table, false));
    own.push_back(register_to(to_own, *target.own.labels, target, table, true));
    fmt::print("{} age {:g} sex {}: velocity² {:.4f} -> {:.4f} mm², Dice {:.4f} -> {:.4f}\n",
               target.subject->id, target.age, target.sex, population.back().velocity,
               own.back().velocity, population.back().dice, own.back().dice);
    std::fflush(stdout);
  }
  add_bridge(population, targets, model.visible, table);
  add_bridge(own, targets, model.visible, table);
  compare("mean squared velocity, mm²", population, own, &Result::velocity, true);
  compare("Dice of the atlas's labels", population, own, &Result::dice, false);
  compare("bridge Dice", population, own, &Result::bridge, false);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) fail_usage("usage: aladdin_deformation RUN [MOST]");
    run(argv[1], argc > 2 ? std::stoul(argv[2]) : 1000);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
