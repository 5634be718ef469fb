#include "aladdin/config/value.h"

#include <fmt/format.h>

namespace aladdin {
namespace {

template <class Number>
std::string list_text(const std::vector<Number>& values) {
  std::string text = "[";
  for (const Number& value : values) text += (text.size() > 1 ? ", " : "") + value_text(value);
  return text + "]";
}

}  // namespace

std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(int value) { return fmt::format("{}", value); }
std::string value_text(std::uint64_t value) { return fmt::format("{}", value); }

std::string value_text(double value) {
  std::string text = fmt::format("{}", value);
  const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

std::string value_text(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      text += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte == 0x7F)
      text += fmt::format("\\u{:04X}", byte);
    else
      text += c;
  }
  return text + "\"";
}

std::string value_text(const std::vector<int>& values) { return list_text(values); }
std::string value_text(const std::vector<double>& values) { return list_text(values); }

}  // namespace aladdin
