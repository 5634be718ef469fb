#include "aladdin/condition/selection.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <set>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/stats/covariate.h"

namespace aladdin::condition {
namespace {

using Holds = std::vector<bool>;

// `compare` decides each comparison, over all subjects at once.
class Parser {
 public:
  using Compare = std::function<Holds(const std::string& name, const std::string& op,
                                      const std::string& value)>;

  Parser(const std::string& text, Compare compare) : text_(text), compare_(std::move(compare)) {}

  Holds parse() {
    Holds all = any_of();
    skip();
    if (at_ < text_.size()) wrong("'and', 'or' or the end");
    return all;
  }

 private:
  Holds any_of() {
    Holds all = all_of();
    while (take_word("or")) merge(all, all_of(), std::logical_or<>());
    return all;
  }

  Holds all_of() {
    Holds all = one();
    while (take_word("and")) merge(all, one(), std::logical_and<>());
    return all;
  }

  Holds one() {
    constexpr int kDeepest = 64;
    if (++depth_ > kDeepest) wrong("fewer parentheses and 'not'");
    Holds all = within();
    --depth_;
    return all;
  }

  Holds within() {
    if (take_word("not")) {
      Holds all = one();
      all.flip();
      return all;
    }
    skip();
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      Holds all = any_of();
      skip();
      if (at_ >= text_.size() || text_[at_] != ')') wrong("')'");
      ++at_;
      return all;
    }
    const auto name = stats::take_name(text_, at_);
    if (!name) wrong("the name of a covariate");
    const std::string op = comparison();
    return compare_(*name, op, value());
  }

  std::string comparison() {
    skip();
    for (const char* op : {"!=", "<=", ">=", "==", "=", "<", ">"})
      if (text_.compare(at_, std::string(op).size(), op) == 0) {
        at_ += std::string(op).size();
        return std::string(op) == "==" ? "=" : op;
      }
    wrong("=, !=, <, <=, > or >=");
  }

  std::string value() {
    skip();
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      const std::size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string::npos) wrong("a closing quote");
      std::string quoted = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return quoted;
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
           !std::strchr("()=!<>'\"", text_[at_]))
      ++at_;
    if (at_ == start) wrong("a value");
    return text_.substr(start, at_ - start);
  }

  bool take_word(const std::string& word) {
    skip();
    const std::size_t end = at_ + word.size();
    if (lower(text_.substr(at_, word.size())) != word) return false;
    if (end < text_.size() && !std::isspace(static_cast<unsigned char>(text_[end])) &&
        text_[end] != '(')
      return false;
    at_ = end;
    return true;
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  template <class Operation>
  static void merge(Holds& all, const Holds& more, Operation operation) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = operation(all[i], more[i]);
  }

  [[noreturn]] void wrong(const std::string& expected) {
    throw Error(
        fmt::format("the condition '{}' cannot be read at '{}': expected {}", one_line(text_),
                    at_ < text_.size() ? one_line(text_.substr(at_)) : "its end", expected),
        ExitCode::usage)
        .hint("a condition looks like 'sex=F and age>60'");
  }

  const std::string& text_;
  Compare compare_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

template <class T>
bool compared(const T& a, const std::string& op, const T& b) {
  if (op == "=") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  return a >= b;
}

Holds compare_numbers(const std::vector<std::string>& values, const std::string& name,
                      const std::string& op, const std::string& value) {
  const auto wanted = parse_number(value);
  if (!wanted)
    throw Error(fmt::format("'{}' is a number, and '{}' is none", one_line(name), one_line(value)),
                ExitCode::usage)
        .hint(fmt::format("compare it with a number, such as {}>{}", name, values.front()));
  Holds holds;
  for (const auto& text : values) holds.push_back(compared(*parse_number(text), op, *wanted));
  return holds;
}

Holds compare_texts(const std::vector<std::string>& values, const std::string& name,
                    const std::string& op, const std::string& value) {
  if (op != "=" && op != "!=")
    throw Error(
        fmt::format("'{}' is a category and has no order: {} cannot be asked of it", name, op),
        ExitCode::usage)
        .hint("compare it with = or !=");
  stats::require_level(name, values, value);
  Holds holds;
  for (const auto& text : values) holds.push_back(compared(text, op, value));
  return holds;
}

}  // namespace

Selection select_subjects(const std::string& condition, const stats::Table& table) {
  Selection out;
  out.names = names_in(condition);
  for (const auto& name : out.names)
    stats::require_values(name, table,
                          fmt::format("complete the table, or omit these subjects with {}",
                                      option_name("drop_missing")));
  out.holds = Parser(condition, [&](const std::string& name, const std::string& op,
                                    const std::string& value) {
                const auto& values = table.column(name);
                return stats::is_number(values) ? compare_numbers(values, name, op, value)
                                                : compare_texts(values, name, op, value);
              }).parse();
  return out;
}

std::vector<std::string> names_in(const std::string& condition) {
  std::vector<std::string> names;
  Parser(condition, [&](const std::string& name, const std::string&, const std::string&) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return Holds{};
  }).parse();
  return names;
}

}  // namespace aladdin::condition
