#include "aladdin/config/write.h"

#include <fmt/format.h>

#include <cstdint>

#include "aladdin/config/value.h"
#include "aladdin/config/visit.h"

namespace aladdin {
namespace {

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

}  // namespace

std::string to_toml(const Config& config) {
  std::string text;
  for (const Section& section : kSections) {
    text += fmt::format("{}# {}.\n[{}]\n", text.empty() ? "" : "\n", section.meaning, section.name);
    visit_settings(config, [&](const Setting& setting, const auto& value) {
      if (setting.section() != section.name) return;
      text += fmt::format("{:<28} # {}", fmt::format("{} = {}", setting.name(), value_text(value)),
                          setting.meaning);
      const bool named = !setting.constraint.choices.empty();
      text += named ? fmt::format(" ({})\n", setting.constraint.text()) : "\n";
    });
  }
  return text;
}

std::string hash_of(const Config& config) {
  std::string canonical;
  visit_settings(config, [&](const Setting& setting, const auto& value) {
    canonical += fmt::format("{} = {}\n", setting.key, value_text(value));
  });
  return fmt::format("{:016x}", fnv1a(canonical));
}

std::vector<Difference> differences(const Config& config, const Config& base) {
  std::vector<Difference> found;
  visit_settings(config, [&](const Setting& setting, const auto& value) {
    found.push_back({std::string(setting.key), value_text(value), ""});
  });
  std::size_t next = 0;
  visit_settings(
      base, [&](const Setting&, const auto& value) { found[next++].base = value_text(value); });
  std::erase_if(found, [](const Difference& d) { return d.value == d.base; });
  return found;
}

}  // namespace aladdin
