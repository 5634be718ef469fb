#include "aladdin/condition/plan.h"

#include "aladdin/condition/velocity_rows.h"
#include "aladdin/condition/weights.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"

namespace aladdin::condition {
namespace {

constexpr double kFew = 8;  // subjects behind an atlas

Eigen::VectorXd given_bandwidth(const std::vector<Width>& widths, const Group& group) {
  const auto count = static_cast<Eigen::Index>(group.numbers.size());
  if (count == 0)
    fail_usage("{} is given, but no number is asked for with {} or {}", option_name("bandwidth"),
               option_name("at"), option_name("sweep"));
  Eigen::VectorXd out = Eigen::VectorXd::Constant(count, -1);
  for (const auto& width : widths) {
    const auto found = std::find(group.numbers.begin(), group.numbers.end(), width.name);
    if (width.name.empty() && count == 1)
      out[0] = width.value;
    else if (found != group.numbers.end())
      out[found - group.numbers.begin()] = width.value;
    else
      throw Error(
          width.name.empty()
              ? fmt::format("one bandwidth is given for the {} numbers {}", count,
                            fmt::join(group.numbers, ", "))
              : fmt::format("a bandwidth is given for '{}', which is no number that is asked for",
                            width.name),
          ExitCode::usage)
          .hint(fmt::format("give one for each of {}, such as {}=5", fmt::join(group.numbers, ", "),
                            group.numbers.front()));
  }
  for (Eigen::Index a = 0; a < count; ++a)
    if (out[a] < 0)
      fail_usage("{} has no value for '{}'", option_name("bandwidth"), group.numbers[a]);
  return out;
}

BandwidthChoice chosen_bandwidth(const RunSubjects& subjects, const Group& group) {
  const auto judged = judged_subjects(group.x);
  std::vector<std::size_t> who;
  Eigen::MatrixXd x(static_cast<Eigen::Index>(judged.size()), group.x.cols());
  for (std::size_t k = 0; k < judged.size(); ++k) {
    who.push_back(group.members[judged[k]]);
    x.row(static_cast<Eigen::Index>(k)) = group.x.row(judged[k]);
  }
  if (judged.size() < group.members.size())
    log::detail("the bandwidth is judged on {} of {} subjects", judged.size(),
                group.members.size());
  return choose_bandwidth(x, velocity_rows(subjects, who));
}

}  // namespace

Plan plan_atlases(const RunSubjects& subjects, const Question& question,
                  const std::vector<Width>& bandwidth) {
  Plan plan;
  plan.question = question;
  plan.group = find_group(question, subjects.covariates());
  const Group& group = plan.group;
  if (group.dropped > 0)
    log::warn("{} left out: a covariate has no value",
              counted(static_cast<long long>(group.dropped), "subject"));
  if (!bandwidth.empty()) {
    plan.bandwidth = given_bandwidth(bandwidth, group);
  } else if (!group.numbers.empty()) {
    plan.choice = chosen_bandwidth(subjects, group);
    plan.bandwidth = plan.choice->bandwidth();
  }
  plan.weights.resize(static_cast<Eigen::Index>(group.members.size()),
                      static_cast<Eigen::Index>(group.points.size()));
  for (std::size_t a = 0; a < group.points.size(); ++a) {
    const auto weights = local_linear_weights(group.x, group.points[a], plan.bandwidth);
    if (!weights)
      throw Error(
          fmt::format("too few different subjects are near {} for an atlas", group.names[a]),
          ExitCode::usage)
          .hint(fmt::format("use a larger {}", option_name("bandwidth")));
    plan.weights.col(static_cast<Eigen::Index>(a)) = *weights;
    plan.effective.push_back(effective_number(*weights));
    if (plan.effective.back() < kFew)
      log::warn("only {:.1f} subjects stand behind the atlas of {}: it will be noisy",
                plan.effective.back(), group.names[a]);
  }
  return plan;
}

}  // namespace aladdin::condition
