#include "aladdin/transform/text_transform_file.h"

#include <optional>

#include "aladdin/core/text.h"

namespace aladdin {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

struct Entry {
  std::string type;
  std::optional<std::vector<double>> parameters, fixed;
};

Error ends_before(const Path& path, const char* what) {
  return Error(fmt::format("the transform '{}' ends before {}", path.string(), what))
      .hint("copy it again from its source");
}

std::vector<double> parse_numbers(std::string_view text, const Path& path) {
  std::vector<double> numbers;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    if (text.empty()) return numbers;
    const auto word = text.substr(0, text.find_first_of(kBlank));
    const auto number = parse_number(word);
    if (!number)
      fail("the transform '{}' has '{}', expected a finite number", path.string(), one_line(word));
    numbers.push_back(*number);
    text.remove_prefix(word.size());
  }
}

void add_line(std::string_view line, std::vector<Entry>& entries, const Path& path) {
  const auto colon = std::min(line.find(':'), line.size());
  const std::string tag = trim(line.substr(0, colon));
  const auto value = line.substr(std::min(colon + 1, line.size()));
  if (tag == "Transform") {
    entries.push_back({trim(value), {}, {}});
    return;
  }
  if (tag != "Parameters" && tag != "FixedParameters")
    fail(
        "the transform '{}' has the line '{}', expected Transform:, Parameters: or FixedParameters:",
        path.string(), one_line(line));
  if (entries.empty()) fail("the transform '{}' has numbers before a Transform:", path.string());
  auto& numbers = tag == "Parameters" ? entries.back().parameters : entries.back().fixed;
  if (numbers) fail("the transform '{}' has {}: twice", path.string(), tag);
  numbers = parse_numbers(value, path);
}

StoredTransform whole(Entry& entry, const Path& path) {
  StoredTransform stored{std::move(entry.type), {}, {}};
  if (is_composite(stored) && !entry.parameters && !entry.fixed) return stored;
  if (!entry.parameters) throw ends_before(path, "its parameters");
  if (!entry.fixed) throw ends_before(path, "its fixed parameters");
  stored.parameters = std::move(*entry.parameters);
  stored.fixed = std::move(*entry.fixed);
  return stored;
}

}  // namespace

std::vector<StoredTransform> read_text_transforms(const Path& path) {
  const std::string text = read_text(path);
  if (!text.starts_with("#Insight Transform File"))
    throw not_a_transform(path, "it does not start with '#Insight Transform File'");
  const char end = text.find('\n') == std::string::npos ? '\r' : '\n';
  if (text.back() != end) throw ends_before(path, "the end of a line");
  std::vector<Entry> entries;
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find(end));
    rest.remove_prefix(line.size() + 1);
    const auto first = line.find_first_not_of(kBlank);
    if (first != std::string_view::npos && line[first] != '#') add_line(line, entries, path);
  }
  std::vector<StoredTransform> stored;
  for (auto& entry : entries) stored.push_back(whole(entry, path));
  return stored;
}

std::string text_of_affine(const Affine& affine) {
  std::string matrix, offset, centre;
  for (int row = 0; row < affine.dims; ++row) {
    for (int column = 0; column < affine.dims; ++column)
      matrix += fmt::format(" {}", affine.matrix[row][column]);
    offset += fmt::format(" {}", affine.offset[row]);
    centre += " 0";
  }
  return fmt::format(
      "#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_{0}_{0}\n"
      "Parameters:{1}{2}\nFixedParameters:{3}\n",
      affine.dims, matrix, offset, centre);
}

}  // namespace aladdin
