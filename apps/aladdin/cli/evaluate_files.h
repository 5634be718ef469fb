// Sources for 'aladdin evaluate' that are no run directories: labels and transforms of anybody's making.
#pragma once

#include <CLI/CLI.hpp>

#include "aladdin/evaluate/source.h"

namespace aladdin::app {

struct FileFlags {
  std::string cohort, labels, images, atlas, atlas_labels;
  std::vector<std::string> to_atlas, to_native;

  bool given() const {
    return !cohort.empty() || !labels.empty() || !to_atlas.empty() || !to_native.empty();
  }
};

void add_file_flags(CLI::App& app, FileFlags& flags);

// All files are looked for before any work.
evaluate::Source source_of_files(const FileFlags& flags, const std::string& split);

}  // namespace aladdin::app
