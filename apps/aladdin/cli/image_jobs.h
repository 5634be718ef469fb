// What register and segment share: a run and several images, whose results are named after them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"
#include "aladdin/image/image.h"

namespace aladdin::app {

struct ImageArguments {
  std::string run, output, shard;
  std::vector<std::string> images;
};

// RUN, IMAGE…, -o and --shard.
void add_image_arguments(CLI::App& app, ImageArguments& arguments, const std::string& run_meaning,
                         const std::string& verb);

// --refine N.
void add_refine(CLI::App& app, int& iterations);

struct NamedImage {
  std::string image, name;  // the file, and its base name
};

// Those of the share. Throws (usage) where two images of any share have one name, or one has a name that
// cannot be a file's.
std::vector<NamedImage> name_images(const ImageArguments& arguments);

// Reads one; what had to be assumed of its geometry is a warning.
Image read_told(const Path& path);

// Calls work(i) for each image, on all threads if they are to be worked at side by side, then tell(i), one after the
// other and in their order. One that cannot be used does not stop the others: it is warned of, and
// named in the error at the end. A single one is that error itself, and what cannot be written ends
// all of it. `participle` as in "registered".
void work_through(
    const std::vector<NamedImage>& images, const std::string& participle, bool side_by_side,
    const std::function<void(std::size_t)>& work, const std::function<void(std::size_t)>& tell,
    const std::function<void()>& finish = [] {});

}  // namespace aladdin::app
