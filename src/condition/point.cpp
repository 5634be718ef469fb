#include "aladdin/condition/point.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/stats/covariate.h"

namespace aladdin::condition {
namespace {

constexpr std::size_t kMostPoints = 500;

void skip(const std::string& text, std::size_t& at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
}

[[noreturn]] void wrong(const std::string& text, std::size_t at, const std::string& expected,
                        const char* example) {
  throw Error(fmt::format("'{}' cannot be read at '{}': expected {}", one_line(text),
                          at < text.size() ? one_line(text.substr(at)) : "its end", expected),
              ExitCode::usage)
      .hint(fmt::format("write it like '{}'", example));
}

// NAME=, and whether it is C(NAME)=.
Coordinate take_left(const std::string& text, std::size_t& at, const char* example) {
  Coordinate out;
  skip(text, at);
  out.category = text.compare(at, 2, "C(") == 0;
  if (out.category) at += 2;
  const auto name = stats::take_name(text, at);
  if (!name) wrong(text, at, "the name of a covariate", example);
  out.name = *name;
  if (out.category && (at >= text.size() || text[at++] != ')')) wrong(text, at, "')'", example);
  skip(text, at);
  if (at >= text.size() || text[at] != '=') wrong(text, at, "'='", example);
  ++at;
  return out;
}

std::string take_value(const std::string& text, std::size_t& at, const char* example) {
  skip(text, at);
  const std::size_t start = at;
  if (at < text.size() && (text[at] == '\'' || text[at] == '"')) {
    const std::size_t end = text.find(text[at], at + 1);
    if (end == std::string::npos) wrong(text, at, "a closing quote", example);
    at = end + 1;
    return text.substr(start + 1, end - start - 1);
  }
  at = std::min(text.find(',', at), text.size());
  std::string value = trim(text.substr(start, at - start));
  if (value.empty()) wrong(text, start, "a value", example);
  return value;
}

std::vector<Coordinate> take_all(const std::string& text, const char* example) {
  std::vector<Coordinate> all;
  std::size_t at = 0;
  do {
    Coordinate next = take_left(text, at, example);
    next.value = take_value(text, at, example);
    if (std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.name == next.name; }))
      fail_usage("'{}' names '{}' twice", one_line(text), one_line(next.name));
    all.push_back(std::move(next));
    skip(text, at);
  } while (at < text.size() && text[at] == ',' && ++at);
  if (at < text.size()) wrong(text, at, "','", example);
  return all;
}

}  // namespace

std::vector<Coordinate> parse_at(const std::string& text) { return take_all(text, "age=70,sex=F"); }

Sweep parse_sweep(const std::string& text) {
  constexpr const char* kExample = "age=20:90:5";
  std::size_t at = 0;
  const Coordinate left = take_left(text, at, kExample);
  const auto parts = split(text.substr(at), ':');
  if (left.category || parts.size() != 3) wrong(text, at, "FROM:TO:STEP", kExample);
  double number[3];
  for (int i = 0; i < 3; ++i) {
    const auto parsed = parse_number(trim(parts[i]));
    if (!parsed) wrong(text, at, "three numbers, FROM:TO:STEP", kExample);
    number[i] = *parsed;
  }
  const auto [from, to, step] = number;
  if (!(step > 0) || !(to >= from + step))
    throw Error(fmt::format("the sweep '{}' has no two values", one_line(text)), ExitCode::usage)
        .hint("it goes from the smaller to the larger value in steps above 0, such as age=20:90:5");
  const double steps = std::floor((to - from) / step + 1e-9);
  if (steps >= kMostPoints)
    throw Error(fmt::format("the sweep '{}' has {:.0f} values, expected at most {}", text,
                            steps + 1, kMostPoints),
                ExitCode::usage)
        .hint("use a larger step");
  Sweep sweep{left.name, {}};
  for (int i = 0; i <= static_cast<int>(steps); ++i) sweep.values.push_back(from + i * step);
  return sweep;
}

std::vector<Width> parse_bandwidth(const std::string& text) {
  constexpr const char* kExample = "age=5,etiv=100";
  std::vector<Width> widths;
  const auto add = [&](const std::string& name, const std::string& value) {
    const auto number = parse_number(value);
    if (!number || !(*number > 0))
      fail_usage("the bandwidth '{}' is no number above 0", one_line(value));
    widths.push_back({name, *number});
  };
  if (text.find('=') == std::string::npos) {
    add("", trim(text));
  } else {
    for (const auto& one : take_all(text, kExample)) add(one.name, one.value);
  }
  return widths;
}

}  // namespace aladdin::condition
