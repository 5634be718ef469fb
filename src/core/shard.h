// One share of a list that several processes work through, as the tasks of an array job: of n shares
// the i-th has the elements i - 1, i - 1 + n, i - 1 + 2n, …
#pragma once

#include <cstddef>
#include <string>

namespace aladdin {

struct Shard {
  std::size_t index = 0, count = 1;  // index from 0

  bool has(std::size_t element) const { return element % count == index; }
  bool is_whole() const { return count == 1; }
  std::string text() const { return std::to_string(index + 1) + "/" + std::to_string(count); }
};

// "2/8" is the second of eight. Throws (usage) on anything else.
Shard parse_shard(const std::string& text);

}  // namespace aladdin
