#include "json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "output.h"

namespace aladdin::app {
namespace {

// The largest angle between an axis of the grid and the world axis nearest to it.
double oblique_deg(const Grid& grid) {
  double smallest = 1;
  for (int axis = 0; axis < grid.dims; ++axis) {
    double largest = 0, square = 0;
    for (int row = 0; row < 3; ++row) {
      largest = std::max(largest, std::abs(grid.direction[row][axis]));
      square += grid.direction[row][axis] * grid.direction[row][axis];
    }
    smallest = std::min(smallest, largest / std::sqrt(square));
  }
  return std::acos(std::min(1.0, smallest)) * 180.0 / std::numbers::pi;
}

}  // namespace

void print_json(const Json& json) {
  put("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Json first_rows(const Mat3& matrix, int dims) {
  Json json = Json::array();
  for (int row = 0; row < dims; ++row) json.push_back(first_entries(matrix[row], dims));
  return json;
}

Json describe_grid(const Grid& grid) {
  return {{"dims", grid.dims},
          {"size", first_entries(grid.size, grid.dims)},
          {"spacing_mm", first_entries(grid.spacing, grid.dims)},
          {"origin_mm", first_entries(grid.origin, grid.dims)},
          {"direction", first_rows(grid.direction, grid.dims)},
          {"axes", axis_codes(grid)},
          {"oblique_deg", oblique_deg(grid)},
          {"summary", describe(grid)}};
}

}  // namespace aladdin::app
