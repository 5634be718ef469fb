#include "aladdin/config/read.h"

#include <toml++/toml.h>

#include <cmath>

#include "aladdin/config/unknown.h"
#include "aladdin/config/value.h"
#include "aladdin/config/visit.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;  // a file that is larger is not a configuration

const char* expected_of(bool) { return "true or false"; }
const char* expected_of(int) { return "an integer"; }
const char* expected_of(std::uint64_t) { return "an integer of at least 0"; }
const char* expected_of(double) { return "a finite number"; }
const char* expected_of(const std::string&) { return "a string in quotes"; }
template <Choice Enum>
const char* expected_of(Enum) {
  return "a string in quotes";
}
const char* expected_of(const std::vector<int>&) { return "a list of integers such as [4, 2, 1]"; }
const char* expected_of(const std::vector<double>&) {
  return "a list of finite numbers such as [0.5, 0.75]";
}

// False, and `value` as it was, where the type is another or the number does not fit.
bool convert(const toml::node& node, bool& value) {
  if (!node.is_boolean()) return false;
  value = node.as_boolean()->get();
  return true;
}

bool convert(const toml::node& node, int& value) {
  if (!node.is_integer()) return false;
  const std::int64_t number = node.as_integer()->get();
  if (number != static_cast<int>(number)) return false;
  value = static_cast<int>(number);
  return true;
}

bool convert(const toml::node& node, std::uint64_t& value) {
  if (!node.is_integer() || node.as_integer()->get() < 0) return false;
  value = static_cast<std::uint64_t>(node.as_integer()->get());
  return true;
}

bool convert(const toml::node& node, double& value) {
  if (!node.is_number()) return false;
  const double number = node.is_integer() ? static_cast<double>(node.as_integer()->get())
                                          : node.as_floating_point()->get();
  if (!std::isfinite(number)) return false;
  value = number;
  return true;
}

bool convert(const toml::node& node, std::string& value) {
  if (!node.is_string()) return false;
  value = node.as_string()->get();
  return true;
}

template <class Number>
bool convert(const toml::node& node, std::vector<Number>& values) {
  if (!node.is_array()) return false;
  std::vector<Number> numbers;
  for (const toml::node& element : *node.as_array())
    if (!convert(element, numbers.emplace_back())) return false;
  values = std::move(numbers);
  return true;
}

// A name that is none of an enum's is an error of its own.
template <Choice Enum>
void choose(const Setting& setting, const std::string& name, Enum& value) {
  const auto found = find_choice<Enum>(name);
  if (found) {
    value = *found;
    return;
  }
  const auto& names = setting.constraint.choices;
  throw Error(fmt::format("{} is {}, expected {}", setting.key, value_text(name),
                          setting.constraint.text()),
              ExitCode::usage)
      .hint(did_you_mean(name, {names.begin(), names.end()}));
}

// False as convert().
template <class Value>
bool take(const Setting& setting, const toml::node& node, Value& value) {
  if constexpr (Choice<Value>) {
    std::string name;
    if (!convert(node, name)) return false;
    choose(setting, name, value);
    return true;
  } else {
    return convert(node, value);
  }
}

// "the string "fast"", "the number 2.0", "a table".
std::string got(const toml::node& node) {
  if (node.is_table() || node.is_array_of_tables()) return "a table";
  if (const auto* text = node.as_string()) return "the string " + value_text(text->get());
  if (const auto* number = node.as_floating_point())
    return "the number " + value_text(number->get());
  if (const auto* number = node.as_integer()) return fmt::format("the integer {}", number->get());
  if (const auto* flag = node.as_boolean()) return value_text(flag->get());
  if (const auto* list = node.as_array()) {
    for (const toml::node& element : *list)
      if (!element.is_number()) return fmt::format("a list with {}", got(element));
    return list->empty() ? "an empty list"
                         : fmt::format("a list of {}",
                                       counted(static_cast<long long>(list->size()), "number"));
  }
  return "a date or a time";
}

// False where there is no such setting.
bool assign(Config& config, std::string_view key, const toml::node& node) {
  bool known = false;
  visit_settings(config, [&](const Setting& setting, auto& value) {
    if (setting.key != key) return;
    known = true;
    if (!take(setting, node, value))
      fail_usage("{} is {}, expected {}", key, got(node), expected_of(value));
  });
  return known;
}

std::string place(std::string_view name, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", name, region.begin.line, region.begin.column);
}

enum class Unknown { refused, passed_over };

void apply_section(Config& config, const toml::table& table, std::string_view section,
                   std::string_view name, Unknown unknown) {
  for (const auto& [key, node] : table) {
    try {
      const std::string full = fmt::format("{}.{}", section, key.str());
      if (!assign(config, full, node) && unknown == Unknown::refused) throw unknown_setting(full);
    } catch (Error& error) {
      throw error.within(place(name, key.source()));
    }
  }
}

toml::table parse(std::string_view text, std::string_view name) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    fail_usage("{}: this is not TOML: {}", place(name, error.source()), error.description());
  }
}

// What the user wrote after "key=", as TOML; `value` tells the type by which it is read.
template <class Value>
std::string as_toml(const std::string& text, const Value&) {
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  const bool bare = (std::is_same_v<Value, std::string> || Choice<Value>)&&!quoted;
  return bare ? value_text(text) : text;
}
template <class Number>
std::string as_toml(const std::string& text, const std::vector<Number>&) {
  return text.starts_with('[') ? text : "[" + text + "]";
}

void apply(Config& config, std::string_view text, std::string_view name, Unknown unknown) {
  Config changed = config;
  for (const auto& [key, node] : parse(text, name)) {
    try {
      if (!is_section(key.str()) && unknown == Unknown::passed_over) continue;
      if (!is_section(key.str())) throw unknown_section(key.str());
      if (!node.is_table())
        fail_usage("{0} is {1}, expected a section [{0}]", key.str(), got(node));
    } catch (Error& error) {
      throw error.within(place(name, key.source()));
    }
    apply_section(changed, *node.as_table(), key.str(), name, unknown);
  }
  config = std::move(changed);
}

}  // namespace

void apply_toml(Config& config, std::string_view text, std::string_view name) {
  apply(config, text, name, Unknown::refused);
}

void apply_known_toml(Config& config, std::string_view text, std::string_view name) {
  apply(config, text, name, Unknown::passed_over);
}

void apply_config_file(Config& config, const Path& path) {
  apply_toml(config, read_text(path, kMostBytes), path.string());
}

Config read_config(const Path& path) {
  Config config;
  apply_config_file(config, path);
  return config;
}

void apply_setting(Config& config, std::string_view setting) {
  const auto equals = setting.find('=');
  if (equals == std::string_view::npos)
    fail_usage("the setting '{}' has no '=', expected key=value such as train.rate=1e-4", setting);
  const std::string key = trim(setting.substr(0, equals));
  const std::string text = trim(setting.substr(equals + 1));
  Config changed = config;
  bool known = false;
  visit_settings(changed, [&](const Setting& candidate, auto& value) {
    if (candidate.key != key) return;
    known = true;
    if (text.empty()) fail_usage("{} has no value, expected {}", key, expected_of(value));
    toml::table table;
    try {
      table = toml::parse("value = " + as_toml(text, value));
    } catch (const toml::parse_error&) {
      fail_usage("{} is '{}', expected {}", key, text, expected_of(value));
    }
    // A line break in the value could smuggle in a second key.
    if (table.size() != 1 || !take(candidate, *table.get("value"), value))
      fail_usage("{} is '{}', expected {}", key, text, expected_of(value));
  });
  if (!known) throw unknown_setting(key);
  config = std::move(changed);
}

}  // namespace aladdin
