#include "aladdin/config/presets.h"

#include "aladdin/config/methods.h"
#include "aladdin/config/preset_files.h"
#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const MethodDescription& method : kMethods)
    for (auto& name : split(method.presets, ' ')) names.push_back(std::move(name));
  return names;
}

std::string_view preset_text(std::string_view name) {
  for (const PresetFile& file : preset_files())
    if (file.name == name) return file.text;
  const auto names = preset_names();
  Error error(
      fmt::format("there is no preset '{}', expected one of {}", name, fmt::join(names, ", ")),
      ExitCode::usage);
  throw error.hint(did_you_mean(name, names));
}

Config preset(std::string_view name) {
  Config config;
  apply_toml(config, preset_text(name), fmt::format("configs/{}.toml", name));
  return config;
}

}  // namespace aladdin
