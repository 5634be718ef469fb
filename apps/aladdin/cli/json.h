// JSON as the commands print it.
#pragma once

#include <nlohmann/json.hpp>

#include "aladdin/image/grid.h"

namespace aladdin::app {

using Json = nlohmann::ordered_json;

// Indented, with a line break, on standard output. JSON is UTF-8 and file names need not be: bytes
// that are not are replaced by U+FFFD.
void print_json(const Json& json);

// The first `dims` entries, and rows of such.
template <class Array>
Json first_entries(const Array& values, int dims) {
  return Json(std::vector(values.begin(), values.begin() + dims));
}
Json first_rows(const Mat3& matrix, int dims);

Json describe_grid(const Grid& grid);

}  // namespace aladdin::app
