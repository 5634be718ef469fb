#include "aladdin/config/unknown.h"

#include <algorithm>

#include "aladdin/config/visit.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

// The names of the settings of a section, or of all sections for "".
std::vector<std::string> names_in(std::string_view section) {
  std::vector<std::string> names;
  const Config config;
  visit_settings(config, [&](const Setting& setting, const auto&) {
    if (section.empty() || setting.section() == section) names.emplace_back(setting.name());
  });
  return names;
}

// "did you mean 'atlas.rate' or 'train.rate'?", or "" if no section has a setting of this name.
std::string in_any_section(std::string_view name) {
  std::string found;
  const Config config;
  visit_settings(config, [&](const Setting& setting, const auto&) {
    if (setting.name() == name)
      found += fmt::format("{}'{}'", found.empty() ? "" : " or ", setting.key);
  });
  return found.empty() ? "" : fmt::format("did you mean {}?", found);
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const Section& section : kSections) names.emplace_back(section.name);
  return names;
}

// A right name in the section that was probably meant, a right name elsewhere, a near name there, a
// near name elsewhere.
std::string advice_for(std::string_view section, std::string_view name) {
  const std::string meant = nearest_name(section, section_names()).value_or("");
  const auto here = names_in(meant);
  if (!meant.empty() && std::find(here.begin(), here.end(), name) != here.end())
    return fmt::format("did you mean '{}.{}'?", meant, name);
  if (std::string elsewhere = in_any_section(name); !elsewhere.empty()) return elsewhere;
  const auto near = nearest_name(name, here);
  if (near && !meant.empty()) return fmt::format("did you mean '{}.{}'?", meant, *near);
  if (const auto anywhere = nearest_name(name, names_in(""))) return in_any_section(*anywhere);
  return fmt::format("the sections are {}", fmt::join(section_names(), ", "));
}

}  // namespace

bool is_section(std::string_view name) {
  return std::any_of(kSections.begin(), kSections.end(),
                     [&](const Section& section) { return section.name == name; });
}

Error unknown_setting(std::string_view key) {
  const Setting wanted{key, {}, {}};
  Error error(fmt::format("there is no setting '{}'", key), ExitCode::usage);
  return error.hint(advice_for(wanted.section(), wanted.name()));
}

Error unknown_section(std::string_view name) {
  Error error(fmt::format("there is no section '{}'", name), ExitCode::usage);
  const std::string near = did_you_mean(name, section_names());
  return error.hint(near.empty() ? advice_for("", name) : near);
}

}  // namespace aladdin
