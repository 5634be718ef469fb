// The votes of labels at one point. Few labels meet there, so a list is searched.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace aladdin {

class Ballot {
 public:
  void clear() { votes_.clear(); }
  void vote(std::int32_t label, double weight) {
    for (auto& [known, sum] : votes_)
      if (known == label) {
        sum += weight;
        return;
      }
    votes_.emplace_back(label, weight);
  }

  enum class Tie {
    smallest,
    first
  };  // of labels whose votes differ by no more than `equal`: which one wins
  // The heaviest label. There must be a vote.
  std::int32_t winner(Tie tie, double equal) const {
    auto best = votes_.front();
    for (const auto& vote : votes_) {
      const bool is_equal = std::abs(vote.second - best.second) <= equal;
      if (is_equal ? tie == Tie::smallest && vote.first < best.first : vote.second > best.second)
        best = vote;
    }
    return best.first;
  }

 private:
  std::vector<std::pair<std::int32_t, double>> votes_;
};

}  // namespace aladdin
