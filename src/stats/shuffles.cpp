#include "aladdin/stats/shuffles.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "aladdin/core/error.h"
#include "aladdin/core/rng.h"
#include "aladdin/core/text.h"

namespace aladdin::stats {
namespace {

using Set = std::vector<std::int32_t>;

bool same_rows(const Partition& partition, std::int32_t a, std::int32_t b) {
  return (partition.tested.row(a) - partition.tested.row(b)).cwiseAbs().maxCoeff() < 1e-9;
}

// Shuffling keeps the mean: it tests something only if the mean is held.
bool holds_mean(const Partition& partition) {
  const double n = static_cast<double>(partition.subjects());
  return partition.nuisance.colwise().sum().squaredNorm() > n * (1 - 1e-9);
}

bool constant_within(const Partition& partition, const Set& set) {
  for (const auto subject : set)
    if (!same_rows(partition, set.front(), subject)) return false;
  return true;
}

void shuffle(Set& values, Rng& rng) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1],
              values[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(i)))]);
}

std::map<std::size_t, std::vector<std::size_t>> by_size(const std::vector<Set>& sets) {
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t b = 0; b < sets.size(); ++b) groups[sets[b].size()].push_back(b);
  return groups;
}

}  // namespace

Shuffles::Shuffles(const Partition& partition, const std::vector<std::string>& blocks,
                   std::uint64_t seed)
    : has_blocks_(!blocks.empty()), subjects_(partition.subjects()), seed_(seed) {
  std::map<std::string, Set> members;
  for (std::int32_t subject = 0; subject < subjects_; ++subject)
    members[has_blocks_ ? blocks.at(static_cast<std::size_t>(subject)) : ""].push_back(subject);
  if (!holds_mean(partition)) {
    kind_ = Kind::flip;
  } else {
    const bool whole = std::all_of(members.begin(), members.end(), [&](const auto& block) {
      return constant_within(partition, block.second);
    });
    kind_ = whole ? Kind::whole : Kind::within;
  }
  if (kind_ == Kind::flip && !has_blocks_)
    for (const auto subject : members.begin()->second) sets_.push_back({subject});
  else
    for (auto& [name, set] : members) sets_.push_back(std::move(set));
  if (kind_ == Kind::whole && log10_count() < 1e-9)
    throw Error(
        "what is tested is the same within every block, and no two blocks have the same size, so nothing can be "
        "exchanged",
        ExitCode::usage)
        .hint("leave out repeated scans until the blocks are of equal size");
}

Shuffles::Shuffle Shuffles::draw(std::int64_t number) const {
  Rng rng(seed_, static_cast<std::uint64_t>(number));
  Shuffle drawn;
  drawn.from.resize(static_cast<std::size_t>(subjects_));
  std::iota(drawn.from.begin(), drawn.from.end(), 0);
  drawn.sign.assign(static_cast<std::size_t>(subjects_), 1.0F);
  if (kind_ == Kind::flip) {
    for (const auto& set : sets_)
      if (rng.bits() >> 63U)
        for (const auto subject : set) drawn.sign[static_cast<std::size_t>(subject)] = -1.0F;
    return drawn;
  }
  if (kind_ == Kind::within) {
    for (const auto& set : sets_) {
      Set mixed = set;
      shuffle(mixed, rng);
      for (std::size_t i = 0; i < set.size(); ++i)
        drawn.from[static_cast<std::size_t>(set[i])] = mixed[i];
    }
    return drawn;
  }
  for (const auto& [size, group] : by_size(sets_)) {
    Set order(group.size());
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, rng);
    for (std::size_t b = 0; b < group.size(); ++b)
      for (std::size_t i = 0; i < size; ++i)
        drawn.from[static_cast<std::size_t>(sets_[group[b]][i])] =
            sets_[group[static_cast<std::size_t>(order[b])]][i];
  }
  return drawn;
}

double Shuffles::log10_count() const {
  const auto log_factorial = [](std::size_t n) {
    return std::lgamma(static_cast<double>(n) + 1) / std::log(10.0);
  };
  double count = 0;
  if (kind_ == Kind::flip) return static_cast<double>(sets_.size()) * std::log10(2.0);
  if (kind_ == Kind::within) {
    for (const auto& set : sets_) count += log_factorial(set.size());
    return count;
  }
  for (const auto& [size, group] : by_size(sets_)) count += log_factorial(group.size());
  return count;
}

std::string Shuffles::description() const {
  const std::string blocks = counted(static_cast<long long>(sets_.size()), "block");
  if (kind_ == Kind::flip)
    return has_blocks_ ? fmt::format("sign flips of {}", blocks) : "sign flips of subjects";
  if (kind_ == Kind::whole) return fmt::format("permutations of whole blocks among {}", blocks);
  return has_blocks_ ? fmt::format("permutations within {}", blocks) : "permutations of subjects";
}

}  // namespace aladdin::stats
