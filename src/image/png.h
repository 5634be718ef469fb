// Colour pictures as PNG files.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin {

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

// Rows from top to bottom, pixels from left to right.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<Colour> pixels;

  Picture() = default;
  Picture(int w, int h, Colour fill)
      : width(w),
        height(h),
        pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), fill) {}

  Colour& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  const Colour& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
};

// Grey pictures take a third of the bytes.
std::vector<std::uint8_t> encode_png(const Picture& picture);

// Throws a usage error unless `path` ends in .png.
void require_png_extension(const Path& path);
void write_png(const Path& path, const Picture& picture);

}  // namespace aladdin
