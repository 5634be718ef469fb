// Names of labels, read from a file of any of these kinds:
//
//   a table with commas or tabs    label,name      columns label, value, index or id, and name, structure or region,
//                                  17,hippocampus  or without a header the first two; BIDS dseg.tsv
//   a FreeSurfer colour table      17 Left-Hippocampus 220 216 20 0
//   an ITK-SNAP label description  17 220 216 20 1 1 1 "Left hippocampus"
//
// Lines that are empty or begin with # are skipped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "aladdin/core/files.h"

namespace aladdin {

using LabelNames = std::map<std::int32_t, std::string>;

// Throws, naming file and line, on a line that has no label or no name, and on a label with two names.
LabelNames read_label_names(const Path& path);
// The same of its text; `file` is what errors call it.
LabelNames parse_label_names(const std::string& text, const std::string& file);

// "17 Left-Hippocampus", or "17" where there is no name.
std::string with_name(std::int32_t label, const LabelNames& names);

}  // namespace aladdin
