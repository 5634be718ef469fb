// JSON as the commands print it.
#pragma once

#include <nlohmann/json.hpp>

#include "aladdin/image/grid.h"

namespace aladdin::app {

using Json = nlohmann::ordered_json;

// Prints indented JSON and a line break. Bytes that are not UTF-8, as file names may have, become U+FFFD.
void print_json(const Json& json);

// The first `dims` entries of a vector, or rows and columns of a matrix.
template <class Array>
Json first_entries(const Array& values, int dims) {
  return Json(std::vector(values.begin(), values.begin() + dims));
}
Json first_rows(const Mat3& matrix, int dims);

Json describe_grid(const Grid& grid);

}  // namespace aladdin::app
