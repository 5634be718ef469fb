// Sources of 'aladdin evaluate' other than run directories: label maps and transforms of any program.
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

// Checks that all files exist before any work.
evaluate::Source source_of_files(const FileFlags& flags, const std::string& split);

}  // namespace aladdin::app
