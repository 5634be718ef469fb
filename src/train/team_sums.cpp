#include "aladdin/train/team_sums.h"

namespace aladdin {

double sum_over(const Team& team, double number) {
  double sum = 0;
  for (const auto& one : team.gather(std::vector<double>{number})) sum += one[0];
  return sum;
}

void sum_over(const Team& team, evaluate::BridgeVotes& votes) {
  if (team.is_alone()) return;
  const auto all = static_cast<std::int64_t>(sum_over(team, double(votes.subjects())));
  votes.sum_over(
      [&](std::uint32_t* numbers, std::size_t count) {  // as int: the same, modulo 2^32
        team.sum(at::from_blob(numbers, {static_cast<int64_t>(count)}, at::kInt));
      },
      all);
}

void mean_over(const Team& team, evaluate::Centrality& centrality, std::int64_t values,
               evaluate::Centrality empty) {
  if (team.is_alone()) return;
  at::Tensor sum = at::zeros({values}, at::kFloat);
  const auto own = double(centrality.subjects());
  if (own > 0) centrality.mean_field(sum.data_ptr<float>());
  sum *= own;
  team.sum(sum);
  sum /= sum_over(team, own);
  centrality = std::move(empty);
  centrality.add(sum.data_ptr<float>());
}

}  // namespace aladdin
