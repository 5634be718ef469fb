// Captions on pictures: a fixed 5 x 8 bitmap font for printable ASCII.
#pragma once

#include <string_view>

#include "aladdin/image/png.h"

namespace aladdin::report {

constexpr int kGlyphWidth = 6;  // with the gap to the next one
constexpr int kGlyphHeight = 8;

// Draws `text` with its top left corner at (x, y), cut at the picture's edges. Characters that the
// font lacks become '?'.
void draw_text(Picture& picture, int x, int y, std::string_view text, Colour colour);

}  // namespace aladdin::report
