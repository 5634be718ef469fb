// Inside this folder only. The texts of configs/*.toml; CMake writes the table.
#pragma once

#include <span>
#include <string_view>

namespace aladdin {

struct PresetFile {
  std::string_view name, text;
};

std::span<const PresetFile> preset_files();

}  // namespace aladdin
