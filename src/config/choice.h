// A setting whose value is one of a few names: an enum and, beside it, the one table of its names,
//
//   enum class Colour { red, blue };
//   inline constexpr Named<Colour> kColours[] = {{Colour::red, "red"}, {Colour::blue, "blue"}};
//   constexpr std::span<const Named<Colour>> table_of(Colour) { return kColours; }
//
// by which it is read, printed, checked and documented. A row may know more of its value than the name.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "aladdin/core/error.h"

namespace aladdin {

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

template <class Enum>
concept Choice = requires(Enum value) {
  table_of(value);
};

// The row of a value; every value has one.
template <Choice Enum>
constexpr const auto& row_of(Enum value) {
  const auto table = table_of(value);
  std::size_t at = 0;
  while (table[at].value != value)
    if (++at == table.size()) fail("a setting has a value without a name");
  return table[at];
}

template <Choice Enum>
constexpr std::string_view name_of(Enum value) {
  return row_of(value).name;
}

template <Choice Enum>
constexpr std::optional<Enum> find_choice(std::string_view name) {
  for (const auto& row : table_of(Enum{}))
    if (row.name == name) return row.value;
  return std::nullopt;
}

template <Choice Enum>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> out;
  for (const auto& row : table_of(Enum{})) out.push_back(row.name);
  return out;
}

}  // namespace aladdin
