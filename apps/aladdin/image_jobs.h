// What register and segment share: a run and several images, whose results are named after them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"
#include "aladdin/image/image.h"

namespace aladdin::app {

struct ImageArguments {
  std::string run, output, shard, suffix = "T1w";
  std::vector<std::string> images;
};

// RUN, IMAGE…, -o, --shard and --suffix.
void add_image_arguments(CLI::App& app, ImageArguments& arguments, const std::string& run_meaning,
                         const std::string& verb);

// --refine N; none: as the model's settings have it (network/registrar.h).
void add_refine(CLI::App& app, std::optional<int>& iterations);

struct NamedImage {
  std::string image, name;  // the file, and its base name or its id in a cohort
};

// Those of the share, each cohort (CSV, folder, BIDS tree, …) in the place of its images. Throws (usage) where two
// images of any share have one name, or one has a name that cannot be a file's. What must be assumed of their
// geometry is a warning, one for all of whom the same is to be said.
std::vector<NamedImage> name_images(const ImageArguments& arguments);

// Calls work(i) for each image, on all threads if they are to be worked at side by side, then tell(i), one after the
// other and in their order. One that cannot be used does not stop the others: it is warned of, and
// named in the error at the end. A single one is that error itself, and what cannot be written ends
// all of it. `participle` as in "registered".
void work_through(
    const std::vector<NamedImage>& images, const std::string& participle, bool side_by_side,
    const std::function<void(std::size_t)>& work, const std::function<void(std::size_t)>& tell,
    const std::function<void()>& finish = [] {});

}  // namespace aladdin::app
