#include "point_file.h"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin::app {
namespace {

// A rounded "-0.000000" would look like a sign.
std::string format_mm(double value) {
  const std::string text = fmt::format("{:.6f}", value);
  return text == "-0.000000" ? "0.000000" : text;
}

std::string read_standard_input() {
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

}  // namespace

PointFile::PointFile(const Path& file, int dims, bool ras) : sign_(ras ? -1.0 : 1.0) {
  const bool piped = file == "-";
  const Path path = piped ? Path("standard input") : file;
  try {
    rows_ = parse_csv(piped ? read_standard_input() : read_text(path));
  } catch (Error& error) {
    throw error.within("while reading the points");
  }
  if (rows_.empty()) fail("'{}' is empty, expected points with the columns x, y, z", path.string());
  const auto& header = rows_.front();
  for (int axis = 0; axis < dims; ++axis) {
    const std::string name(1, "xyz"[axis]);
    const auto found = std::find_if(header.begin(), header.end(), [&](const std::string& column) {
      return lower(trim(column)) == name;
    });
    if (found == header.end())
      throw Error(fmt::format("'{}' has no column '{}'", path.string(), name))
          .hint(dims == 3 ? "expected a first line that names the columns x, y and z"
                          : "expected a first line that names the columns x and y");
    columns_.push_back(static_cast<std::size_t>(found - header.begin()));
  }
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    const auto& row = rows_[r];
    if (row.size() != header.size())
      fail("'{}', row {} has {} fields, expected {}", path.string(), r + 1, row.size(),
           header.size());
    Vec3 point{0, 0, 0};
    for (std::size_t axis = 0; axis < columns_.size(); ++axis) {
      const auto value = parse_number(trim(row[columns_[axis]]));
      if (!value)
        fail("'{}', row {}: '{}' is not a number", path.string(), r + 1,
             one_line(row[columns_[axis]]));
      point[axis] = axis < 2 ? sign_ * *value : *value;
    }
    points_.push_back(point);
  }
}

std::string PointFile::text() const {
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    auto row = rows_[r];
    if (r > 0)
      for (std::size_t axis = 0; axis < columns_.size(); ++axis)
        row[columns_[axis]] =
            format_mm(axis < 2 ? sign_ * points_[r - 1][axis] : points_[r - 1][axis]);
    for (std::size_t c = 0; c < row.size(); ++c) text += (c ? "," : "") + csv_field(row[c]);
    text += '\n';
  }
  return text;
}

}  // namespace aladdin::app
