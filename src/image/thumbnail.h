// The content of an image in 8 cells along each of the world's axes: enough to see that an image is turned, or of
// another contrast than the others, before anything is registered.
#pragma once

#include <vector>

#include "aladdin/image/content.h"
#include "aladdin/image/intensity.h"

namespace aladdin {

constexpr int kThumbnail = 8;
constexpr std::size_t thumbnail_size(int dims) {
  return kThumbnail * kThumbnail * (dims == 3 ? kThumbnail : 1);
}

// The mean intensity of each cell of `content`, mapped to 0 … 1; L runs fastest, then P, then S.
std::vector<float> thumbnail_of(const Image& image, const Box& content,
                                const IntensityMap& intensity);

// Cell by cell.
std::vector<float> median_thumbnail(const std::vector<std::vector<float>>& thumbnails);

// Over the cells within 0.8 of the inscribed ellipsoid: the corners are background, which would make all images alike.
double mean_of(const std::vector<float>& thumbnail, int dims);
double correlation_of(const std::vector<float>& a, const std::vector<float>& b, int dims);

}  // namespace aladdin
