// Sources of 'aladdin evaluate' and 'aladdin measure' other than run directories: label maps and transforms of any program.
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

// Checks that all files exist before any work. `evaluate` needs labels or images; `measure` needs only the
// transforms, which then name the subjects, and keeps subjects without labels.
enum class Needs { labels_or_images, transforms };
evaluate::Source source_of_files(const FileFlags& flags, const std::string& split,
                                 Needs needs = Needs::labels_or_images);

}  // namespace aladdin::app
