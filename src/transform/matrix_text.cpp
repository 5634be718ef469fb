#include "aladdin/transform/matrix_text.h"

#include <sstream>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

constexpr std::size_t kMostBytes = 1 << 16;

}  // namespace

std::optional<Affine> parse_matrix(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::vector<double> numbers;
  while (std::getline(lines, line)) {
    if (trim(line).starts_with('#')) continue;
    std::istringstream words(line);
    std::string word;
    std::size_t count = 0;
    for (; words >> word; ++count) {
      const auto number = parse_number(word);
      if (!number || numbers.size() == 16) return std::nullopt;
      numbers.push_back(*number);
    }
    if (count != 0 && count != 4) return std::nullopt;
  }
  if (numbers.size() == 12) numbers.insert(numbers.end(), {0, 0, 0, 1});
  if (numbers.size() != 16 || numbers[12] != 0 || numbers[13] != 0 || numbers[14] != 0 ||
      numbers[15] != 1)
    return std::nullopt;
  Affine affine;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column)
      affine.matrix[row][column] = numbers[4 * row + column];
    affine.offset[row] = numbers[4 * row + 3];
  }
  return affine;
}

Affine read_matrix(const Path& path) {
  if (const auto affine = parse_matrix(read_text(path, kMostBytes))) return *affine;
  throw Error(fmt::format("'{}' is not a matrix of 4 x 4 numbers whose last line is 0 0 0 1",
                          path.string()))
      .hint("expected an affine of FSL, Greedy, c3d, NiftyReg or MRtrix3 as text");
}

std::string text_of_matrix(const Affine& affine) {
  std::string text;
  for (int row = 0; row < 3; ++row)
    text += fmt::format("{} {} {} {}\n", affine.matrix[row][0], affine.matrix[row][1],
                        affine.matrix[row][2], affine.offset[row]);
  return text + "0 0 0 1\n";
}

Affine flip_ras(const Affine& affine) {
  const Affine flip{diagonal({-1, -1, 1}), {0, 0, 0}, affine.dims};
  return compose(flip, compose(affine, flip));
}

}  // namespace aladdin
