#include "aladdin/transform/matlab_transform_file.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "aladdin/core/text.h"

namespace aladdin {
namespace {

// type, rows, columns, imaginary, length of the name; in the byte order that the type says
using Words = std::array<std::uint32_t, 5>;

struct Header {
  bool swapped, single;
  std::uint32_t rows, columns, imaginary, name;

  std::uint64_t data_bytes() const {
    return (single ? 4ULL : 8ULL) * (1 + imaginary) * rows * columns;
  }
};

std::uint32_t swap(std::uint32_t bits) { return __builtin_bswap32(bits); }
std::uint64_t swap(std::uint64_t bits) { return __builtin_bswap64(bits); }

// type = 1000 * big-endian + 100 * row-wise + 10 * single + 0 for numbers
bool is_known(std::uint32_t type) {
  return type < 2000 && type % 1000 / 100 < 2 && type % 100 / 10 < 2 && type % 10 == 0;
}

// Nothing if there is no variable at the start of `bytes`, or not all of it.
std::optional<Header> parse_header(std::string_view bytes) {
  Words words;
  if (bytes.size() < sizeof words) return std::nullopt;
  std::memcpy(words.data(), bytes.data(), sizeof words);
  const bool swapped = !is_known(words[0]);
  if (swapped)
    for (auto& word : words) word = swap(word);
  const auto [type, rows, columns, imaginary, name] = words;
  if (!is_known(type) || imaginary > 1 || name == 0) return std::nullopt;
  if (rows > bytes.size() || columns > bytes.size()) return std::nullopt;  // the product fits
  const Header header{swapped, type % 100 == 10, rows, columns, imaginary, name};
  if (sizeof words + name + header.data_bytes() > bytes.size()) return std::nullopt;
  return header;
}

template <class Number, class Bits>
std::vector<double> to_numbers(std::string_view bytes, bool swapped) {
  std::vector<double> numbers(bytes.size() / sizeof(Bits));
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + n * sizeof bits, sizeof bits);
    if (swapped) bits = swap(bits);
    numbers[n] = std::bit_cast<Number>(bits);
  }
  return numbers;
}

struct Variable {
  std::string name;
  std::vector<double> numbers;
};

Variable take_variable(std::string_view& bytes, const Path& path) {
  const auto header = parse_header(bytes);
  if (!header) throw not_a_transform(path, "it is not a Matlab 4 file or it is cut short");
  bytes.remove_prefix(sizeof(Words));
  Variable variable{std::string(bytes.substr(0, header->name)), {}};
  if (variable.name.back() == '\0') variable.name.pop_back();
  bytes.remove_prefix(header->name);
  if (header->columns != 1 || header->imaginary)
    throw not_a_transform(
        path, fmt::format("its variable '{}' is not a column of numbers", one_line(variable.name)));
  const auto data = bytes.substr(0, header->data_bytes());
  variable.numbers = header->single ? to_numbers<float, std::uint32_t>(data, header->swapped)
                                    : to_numbers<double, std::uint64_t>(data, header->swapped);
  bytes.remove_prefix(data.size());
  return variable;
}

}  // namespace

std::vector<StoredTransform> read_matlab_transforms(const Path& path) {
  const std::string text = read_text(path);
  if (text.empty()) throw not_a_transform(path, "it is empty");
  std::vector<StoredTransform> stored;
  for (std::string_view rest = text; !rest.empty();) {
    Variable parameters = take_variable(rest, path);
    Variable fixed = rest.empty() ? Variable{} : take_variable(rest, path);
    if (fixed.name != "fixed")
      throw not_a_transform(
          path, fmt::format("no variable 'fixed' comes after '{}'", one_line(parameters.name)));
    stored.push_back({parameters.name, std::move(parameters.numbers), std::move(fixed.numbers)});
  }
  return stored;
}

}  // namespace aladdin
