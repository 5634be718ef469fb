#include "declaration.h"

#include <fmt/format.h>

#include "aladdin/core/text.h"

namespace aladdin::app {
namespace {

// CLI11 spells the type of a checked option "TEXT:{linear,nearest}".
std::vector<std::string> choices_of(const std::string& type) {
  const auto open = type.find('{');
  const auto close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return split(type.substr(open + 1, close - open - 1), ',');
}

// CLI11 appends ":" and the check to the name of the type; a ':' in brackets is the name's own, "[LINES:]KEY=VALUE".
std::string type_name_of(const std::string& type) {
  int brackets = 0;
  for (std::size_t i = 0; i < type.size(); ++i) {
    brackets += (type[i] == '[') - (type[i] == ']');
    if (type[i] == ':' && brackets == 0) return type.substr(0, i);
  }
  return type;
}

Flag flag_of(const CLI::Option& option) {
  Flag flag;
  flag.argument = option.nonpositional() == false;
  if (flag.argument) {
    flag.names.push_back(option.get_name());
  } else {
    for (const auto& name : option.get_snames()) flag.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) flag.names.push_back("--" + name);
  }
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value) {
    const std::string type = option.get_type_name();
    flag.choices = choices_of(type);
    flag.value =
        flag.choices.empty() ? type_name_of(type) : fmt::format("{}", fmt::join(flag.choices, "|"));
  }
  flag.description = option.get_description();
  flag.default_value = option.get_default_str();
  if (flag.default_value.starts_with('[') && flag.default_value.ends_with(']'))  // a list
    flag.default_value = flag.default_value.substr(1, flag.default_value.size() - 2);
  flag.required = option.get_required();
  const bool one_word = option.get_delimiter() != '\0';  // "--size 80,192,192"
  flag.repeated = takes_value && !one_word &&
                  (option.get_expected_max() > 1 ||
                   option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
  return flag;
}

}  // namespace

std::vector<Flag> declared_flags(const CLI::App& app) {
  std::vector<Flag> flags;
  for (const CLI::Option* option : app.get_options()) flags.push_back(flag_of(*option));
  return flags;
}

std::string name_and_value(const Flag& flag) {
  std::string text = fmt::format("{}", fmt::join(flag.names, ", "));
  if (!flag.argument && !flag.value.empty()) text += " " + flag.value;
  if (flag.repeated) text += " ...";
  return text;
}

std::string description_of(const Flag& flag) {
  std::string text = flag.description;
  if (flag.argument && !flag.choices.empty()) text += " (" + flag.value + ")";
  if (!flag.argument && flag.required) text += " (required)";
  if (!flag.default_value.empty()) text += " [" + flag.default_value + "]";
  return text;
}

std::string synopsis_of(const std::vector<Flag>& flags) {
  std::string synopsis;
  for (const auto& flag : flags) {
    if (!flag.argument && !flag.required) continue;
    std::string word = flag.names.back();
    if (!flag.argument) word += " " + flag.value;
    if (flag.repeated) word += "...";
    synopsis += flag.required ? word + " " : "[" + word + "] ";
  }
  return synopsis + "[flags]";
}

}  // namespace aladdin::app
