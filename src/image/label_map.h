// Is an integer image a label map, and what is in it?
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "aladdin/core/files.h"
#include "aladdin/image/image.h"

namespace aladdin {

// mm³, or mm² in 2-D.
double voxel_volume(const Grid& grid);

// How many voxels each value has.
std::map<std::int32_t, std::int64_t> count_labels(const Labels& labels);

// The rule by which an image of an integer pixel type is taken for a label map: at most
// kMostLabels distinct values, none negative, and of the pairs of neighbours along the first axis
// that are not both 0 at least half are equal. (8-bit scans have few distinct values too, but noise
// makes neighbours differ.)
constexpr int kMostLabels = 1024;
bool looks_like_labels(const Labels& values);

// The file as labels if it is of an integer pixel type and looks like a label map, else nothing.
std::optional<Labels> read_if_labels(const Path& path);

}  // namespace aladdin
