// Sources for 'aladdin evaluate' and 'aladdin measure' that are no run directories: labels and transforms of anybody's making.
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

// All files are looked for before any work. Evaluation needs labels or images; sizes need the transforms
// alone, which then say who the subjects are, and keep those without labels.
enum class Needs { labels_or_images, transforms };
evaluate::Source source_of_files(const FileFlags& flags, const std::string& split,
                                 Needs needs = Needs::labels_or_images);

}  // namespace aladdin::app
