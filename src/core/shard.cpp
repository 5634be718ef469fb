#include "aladdin/core/shard.h"

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {

Shard parse_shard(const std::string& text) {
  constexpr long long kMost = 1000000;
  const auto parts = split(text, '/');
  if (parts.size() == 2) {
    const auto index = parse_integer(parts[0]), count = parse_integer(parts[1]);
    if (index && count && *index >= 1 && *index <= *count && *count <= kMost)
      return {static_cast<std::size_t>(*index - 1), static_cast<std::size_t>(*count)};
  }
  fail_usage("'{}' is not a share, expected I/N with I from 1 to N, such as 2/8", text);
}

}  // namespace aladdin
