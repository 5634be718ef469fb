// A configuration as text.
#pragma once

#include <string>
#include <vector>

#include "aladdin/config/config.h"

namespace aladdin {

// Every setting with its meaning as a comment; read back, it gives the same bits.
std::string to_toml(const Config& config);

// 64-bit FNV-1a, 16 hexadecimal digits, over "key = value" of every setting in the order of visit.h.
// The same on every machine; comments and the words of a meaning do not enter.
std::string hash_of(const Config& config);

struct Difference {
  std::string key, value, base;  // values as TOML writes them
};
// In the order of visit.h; two values differ if they are written differently.
std::vector<Difference> differences(const Config& config, const Config& base);

}  // namespace aladdin
