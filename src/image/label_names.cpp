#include "aladdin/image/label_names.h"

#include <algorithm>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

using Fields = std::vector<std::string>;

struct Columns {
  std::size_t label = 0, name = 1;
};

std::optional<std::size_t> find_column(const Fields& header,
                                       std::initializer_list<const char*> of) {
  for (const char* wanted : of)
    for (std::size_t c = 0; c < header.size(); ++c) {
      std::string name = trim(header[c]);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char letter) { return std::tolower(letter); });
      if (name == wanted) return c;
    }
  return std::nullopt;
}

// Without a value: the line is no header.
std::optional<Columns> columns_of(const Fields& line) {
  if (parse_integer(trim(line.at(0)))) return std::nullopt;
  const auto name = find_column(line, {"name", "structure", "region", "label_name"});
  const auto label = find_column(line, {"label", "value", "index", "id"});
  if (!label || !name) return Columns{};
  return Columns{*label, *name};
}

// "17 Left-Hippocampus 220 216 20 0" or "17 … "Left hippocampus"" as a label and a name.
Fields words_of(const std::string& line) {
  const auto space = line.find_first_of(" \t");
  if (space == std::string::npos) return {line};
  const std::string label = line.substr(0, space);
  std::string name = trim(line.substr(space));
  const auto quote = name.find('"');
  if (quote != std::string::npos) {
    const auto end = name.find('"', quote + 1);
    return {label, name.substr(quote + 1, end == std::string::npos ? end : end - quote - 1)};
  }
  // Colours: up to four numbers at the end.
  for (int colour = 0; colour < 4; ++colour) {
    const auto last = name.find_last_of(" \t");
    if (last == std::string::npos || !parse_integer(name.substr(last + 1))) break;
    name = trim(name.substr(0, last));
  }
  return {label, name};
}

}  // namespace

LabelNames parse_label_names(const std::string& text, const std::string& file) {
  LabelNames names;
  std::optional<Columns> columns;
  char separator = ' ';
  long long number = 0;
  bool first = true;
  for (const std::string& raw : split(text, '\n')) {
    ++number;
    const std::string line = trim(raw);
    if (line.empty() || line[0] == '#') continue;
    if (first)
      separator = line.find('\t') != std::string::npos  ? '\t'
                  : line.find(',') != std::string::npos ? ','
                                                        : ' ';
    // A colour table may be set with tabs: then there is no header, and the colours follow the name.
    const Fields fields = separator == ','    ? parse_csv(line).at(0)
                          : separator == '\t' ? split(line, '\t')
                                              : words_of(line);
    if (first && separator != ' ') columns = columns_of(fields);
    const bool header = first && columns;
    first = false;
    if (header) continue;
    const Columns at = columns.value_or(Columns{});
    const auto field = [&](std::size_t c) { return c < fields.size() ? trim(fields[c]) : ""; };
    const auto label = parse_integer(field(at.label));
    const std::string name = field(at.name);
    if (!label || *label < 0 || *label > INT32_MAX || name.empty())
      fail("'{}' has '{}' in line {}, expected a label and its name", file, one_line(line), number);
    const auto [known, added] = names.emplace(static_cast<std::int32_t>(*label), name);
    if (!added && known->second != name)
      fail("'{}' names the label {} twice: '{}' and, in line {}, '{}'", file, *label,
           one_line(known->second), number, one_line(name));
  }
  if (names.empty()) fail("'{}' names no label", file);
  return names;
}

LabelNames read_label_names(const Path& path) {
  return parse_label_names(read_text(path), path.string());
}

std::string with_name(std::int32_t label, const LabelNames& names) {
  const auto found = names.find(label);
  return found == names.end() ? fmt::format("{}", label)
                              : fmt::format("{} {}", label, one_line(found->second));
}

}  // namespace aladdin
