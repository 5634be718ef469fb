// A setting's value as TOML writes it: 1e-04, "lncc", [4, 2, 1], true. Doubles have as many digits as
// it takes to read back the same bits, and always look like a float (1.0, not 1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aladdin/config/choice.h"

namespace aladdin {

std::string value_text(bool value);
std::string value_text(int value);
std::string value_text(std::uint64_t value);
std::string value_text(double value);
std::string value_text(const std::string& value);
std::string value_text(const char* value) = delete;  // it would be taken for a bool
std::string value_text(const std::vector<int>& values);
std::string value_text(const std::vector<double>& values);
template <Choice Enum>
std::string value_text(Enum value) {
  return value_text(std::string(name_of(value)));
}

}  // namespace aladdin
