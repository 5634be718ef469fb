#include "aladdin/train/team_sums.h"

namespace aladdin {
namespace {

template <class Sums, class Number>
void sum_numbers(const Team& team, Sums& sums, at::ScalarType type) {
  if (team.is_alone()) return;
  const auto all = static_cast<std::int64_t>(sum_over(team, double(sums.subjects())));
  sums.sum_over(
      [&](Number* numbers, std::size_t count) {
        team.sum(at::from_blob(numbers, {static_cast<int64_t>(count)}, type));
      },
      all);
}

}  // namespace

double sum_over(const Team& team, double number) {
  double sum = 0;
  for (const auto& one : team.gather(std::vector<double>{number})) sum += one[0];
  return sum;
}

void sum_over(const Team& team, evaluate::BridgeVotes& votes) {
  sum_numbers<evaluate::BridgeVotes, std::uint32_t>(team, votes, at::kInt);  // modulo 2^32
}

void sum_over(const Team& team, evaluate::Centrality& centrality) {
  sum_numbers<evaluate::Centrality, double>(team, centrality, at::kDouble);
}

}  // namespace aladdin
