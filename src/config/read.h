// Configurations from TOML and from single settings. Here keys and types are checked; values are
// checked by validate() once everything is applied. What is wrong with a key or a type is a usage error
// of one sentence, an unknown key comes with the nearest match, and a failed call changes nothing.
#pragma once

#include <string>
#include <string_view>

#include "aladdin/config/config.h"
#include "aladdin/core/files.h"

namespace aladdin {

// The defaults with the settings of the file on top.
Config read_config(const Path& path);

// Sets what the TOML text names and leaves the rest. `name` is the file in messages: "name:3:8: …".
// An integer is taken for a float, but not the other way round.
void apply_toml(Config& config, std::string_view text, std::string_view name);

// The same of settings that another version may have written: those that are not known here are passed over.
void apply_known_toml(Config& config, std::string_view text, std::string_view name);

void apply_config_file(Config& config, const Path& path);

// One "train.rate=1e-4", the value in TOML syntax, but a string needs no quotes and a list no
// brackets: loss.similarity=ncc, train.pyramid=4,2,1.
void apply_setting(Config& config, std::string_view setting);

}  // namespace aladdin
