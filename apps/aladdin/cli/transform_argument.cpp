#include "transform_argument.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::app {
namespace {

struct Argument {
  std::string file;
  bool inverted = false;
};

// "[a.tfm,1]" is how antsApplyTransforms spells the inverse, "[a.tfm,0]" the transform itself.
void refuse_ants_brackets(const std::string& text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return;
  const auto comma = text.rfind(',');
  const std::string file = text.substr(1, std::min(comma, text.size() - 1) - 1);
  const bool inverted = comma != std::string::npos && trim(text.substr(comma + 1)) == "1]";
  throw Error(fmt::format("--transform {}: brackets are not understood", text), ExitCode::usage)
      .hint(fmt::format("did you mean '{}{}'?", file, inverted ? ",inverse" : ""));
}

Argument parse(const std::string& text) {
  refuse_ants_brackets(text);
  constexpr std::string_view kSuffix = ",inverse";
  if (text == kSuffix)
    throw Error(fmt::format("--transform {}: there is no file before the comma", text),
                ExitCode::usage)
        .hint("write it without a space: 'a.tfm,inverse'");
  if (text.ends_with(kSuffix)) return {text.substr(0, text.size() - kSuffix.size()), true};
  // A comma may be part of a file name; if there is no such file, the suffix is mistyped.
  const auto comma = text.rfind(',');
  std::error_code ignored;
  if (comma != std::string::npos && !std::filesystem::exists(text, ignored) &&
      std::filesystem::exists(text.substr(0, comma), ignored))
    throw Error(fmt::format("--transform {}: '{}' is not known", text, text.substr(comma)),
                ExitCode::usage)
        .hint("did you mean ',inverse'?");
  return {text, false};
}

Chain read_one(const Argument& argument) {
  if (argument.file == "identity") return {};
  Chain chain = read_transform(argument.file);
  if (!argument.inverted) return chain;
  const bool numerical = std::any_of(chain.begin(), chain.end(), [](const Transform& transform) {
    return std::holds_alternative<Displacement>(transform);
  });
  if (numerical)
    log::info("the displacement field in '{}' is inverted numerically, point by point",
              argument.file);
  try {
    return inverse(std::move(chain));
  } catch (Error& error) {
    throw error.within(fmt::format("'{}' has no inverse", argument.file));
  }
}

}  // namespace

Chain read_chain(const std::vector<std::string>& arguments) {
  std::vector<Argument> parsed;
  for (const auto& text : arguments) parsed.push_back(parse(text));
  std::reverse(parsed.begin(), parsed.end());
  Chain chain;
  std::string first;
  for (const auto& argument : parsed) {
    for (auto& transform : read_one(argument)) {
      if (!chain.empty() && dims_of(transform) != dims_of(chain.front()))
        fail("the transform '{}' is {}-D, but '{}' is {}-D", argument.file, dims_of(transform),
             first, dims_of(chain.front()));
      if (chain.empty()) first = argument.file;
      chain.push_back(std::move(transform));
    }
  }
  return chain;
}

}  // namespace aladdin::app
