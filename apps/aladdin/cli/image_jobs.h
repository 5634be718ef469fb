// What register and segment share: a run and several images, whose results are named after the images.
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
  std::string run, output, shard, masks, suffix = "T1w";
  std::vector<std::string> images;
};

// RUN, IMAGE…, -o, --masks, --shard and --suffix.
void add_image_arguments(CLI::App& app, ImageArguments& arguments, const std::string& run_meaning,
                         const std::string& verb);

// --refine N; none: as the model's settings have it (network/registrar.h).
void add_refine(CLI::App& app, std::optional<int>& iterations);

struct NamedImage {
  std::string image, name;   // the file, and its base name or its id in a cohort
  std::optional<Path> mask;  // of --masks, or of the cohort
};

// The images of the share; a cohort (CSV, folder, BIDS tree, …) stands for its images, with their masks. Throws (usage)
// if two images, of any share, have the same name, or if a name is not valid for files; throws if one has no file in the
// folder of --masks. Warns of what had to be assumed of their geometry, once for all images with the same note.
std::vector<NamedImage> name_images(const ImageArguments& arguments);

// The mask of the image, if it has one.
std::optional<Labels> read_mask(const NamedImage& image);

// Calls work(i) for each image, on all threads if `side_by_side`, then tell(i) one at a time in the order of the
// images. An image that fails does not stop the others: it gives a warning, and the error at the end names it. Where
// there is only one image, its error is thrown; an error of output stops everything. `participle` as in "registered".
void work_through(
    const std::vector<NamedImage>& images, const std::string& participle, bool side_by_side,
    const std::function<void(std::size_t)>& work, const std::function<void(std::size_t)>& tell,
    const std::function<void()>& finish = [] {});

}  // namespace aladdin::app
