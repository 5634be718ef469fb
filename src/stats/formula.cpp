#include "aladdin/stats/formula.h"

#include <algorithm>
#include <cctype>

#include "aladdin/core/error.h"
#include "aladdin/stats/covariate.h"

namespace aladdin::stats {
namespace {

bool uses_name(const Term& term, const std::string& covariate) {
  return std::any_of(term.factors.begin(), term.factors.end(),
                     [&](const Factor& factor) { return factor.name == covariate; });
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Formula parse() {
    Formula formula;
    do {
      if (take('1')) continue;  // the intercept, always there
      for (auto& term : product())
        if (std::find(formula.terms.begin(), formula.terms.end(), term) == formula.terms.end())
          formula.terms.push_back(std::move(term));
    } while (take('+'));
    skip();
    if (at_ < text_.size()) wrong("'+', ':' or '*'");
    return formula;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(char wanted) {
    skip();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void wrong(const std::string& expected) {
    throw Error(fmt::format("the model '{}' cannot be read at '{}': expected {}", text_,
                            at_ < text_.size() ? text_.substr(at_) : "its end", expected),
                ExitCode::usage)
        .hint("a model looks like 'age + sex + age:group + C(site)'");
  }

  // a:b is one term; a*b is a, b and a:b.
  std::vector<Term> product() {
    std::vector<Term> terms{interaction()};
    while (take('*')) {
      const Term next = interaction();
      std::vector<Term> crossed;
      for (const auto& term : terms) crossed.push_back(joined(term, next));
      terms.push_back(next);
      terms.insert(terms.end(), crossed.begin(), crossed.end());
    }
    return terms;
  }

  static Term joined(Term one, const Term& other) {
    one.factors.insert(one.factors.end(), other.factors.begin(), other.factors.end());
    return one;
  }

  Term interaction() {
    Term term{{factor()}};
    while (take(':')) term.factors.push_back(factor());
    return term;
  }

  Factor factor() {
    Factor found;
    skip();
    if (text_.compare(at_, 2, "C(") == 0) {
      at_ += 2;
      found.category = true;
      found.name = name();
      if (!take(')')) wrong("')'");
      return found;
    }
    found.name = name();
    if (take('^')) {
      skip();
      if (at_ >= text_.size() || text_[at_] < '2' || text_[at_] > '4')
        wrong("a power of 2, 3 or 4");
      found.power = text_[at_++] - '0';
    }
    return found;
  }

  std::string name() {
    skip();
    if (auto found = take_name(text_, at_)) return *found;
    wrong(at_ > 0 && text_[at_ - 1] == '`' ? "a closing '`'" : "the name of a covariate");
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string Term::text() const {
  std::string all;
  for (const auto& factor : factors) {
    if (!all.empty()) all += ":";
    all += factor.name;
    if (factor.power > 1) all += fmt::format("^{}", factor.power);
  }
  return all;
}

bool Formula::uses(const std::string& covariate) const {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const Term& term) { return uses_name(term, covariate); });
}

Formula Formula::without(const std::string& covariate) const {
  Formula rest = *this;
  std::erase_if(rest.terms, [&](const Term& term) { return uses_name(term, covariate); });
  return rest;
}

std::string Formula::text() const {
  std::string all = "1";
  for (const auto& term : terms) all += " + " + term.text();
  return all;
}

Formula parse_formula(const std::string& text) { return Parser(text).parse(); }

}  // namespace aladdin::stats
