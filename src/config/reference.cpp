#include "aladdin/config/reference.h"

#include <fmt/format.h>

#include <map>

#include "aladdin/config/presets.h"
#include "aladdin/config/value.h"
#include "aladdin/config/visit.h"
#include "aladdin/config/write.h"

namespace aladdin {
namespace {

std::string section_table(const Section& section, const Config& defaults) {
  std::string text = fmt::format(
      "## [{}]\n\n{}.\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n",
      section.name, section.meaning);
  visit_settings(defaults, [&](const Setting& setting, const auto& value) {
    if (setting.section() == section.name)
      text += fmt::format("| `{}` | `{}` | {} | {} |\n", setting.key, value_text(value),
                          setting.constraint.text(), setting.meaning);
  });
  return text + "\n";
}

// A row for each setting that some preset changes, a column for each preset.
std::string preset_table(const Config& defaults) {
  const auto names = preset_names();
  std::map<std::string, std::map<std::string, std::string>> values;  // key, preset
  for (const auto& name : names)
    for (const Difference& d : differences(preset(name), defaults)) values[d.key][name] = d.value;
  std::string head = "| setting |", rule = "|---|", rows;
  for (const auto& name : names) {
    head += fmt::format(" {} |", name);
    rule += "---|";
  }
  visit_settings(defaults, [&](const Setting& setting, const auto& value) {
    const auto changed = values.find(std::string(setting.key));
    if (changed == values.end()) return;
    rows += fmt::format("| `{}` |", setting.key);
    for (const auto& name : names) {
      const auto own = changed->second.find(name);
      rows +=
          fmt::format(" `{}` |", own == changed->second.end() ? value_text(value) : own->second);
    }
    rows += "\n";
  });
  return fmt::format("## Presets\n\nSettings not listed here are as in `default`.\n\n{}\n{}\n{}",
                     head, rule, rows);
}

}  // namespace

std::string config_reference() {
  const Config defaults;
  std::string text;
  for (const Section& section : kSections) text += section_table(section, defaults);
  return text + preset_table(defaults);
}

}  // namespace aladdin
