#include "transform_argument.h"

#include <algorithm>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::app {
namespace {

struct Argument {
  TransformFile file;
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

// Takes one of the words behind a comma; false where it is none of them.
bool take_word(const std::string& word, Argument& argument) {
  const auto value = [&](std::string_view key) -> std::optional<std::string> {
    if (!word.starts_with(key)) return std::nullopt;
    return word.substr(key.size());
  };
  if (word == "inverse") {
    argument.inverted = true;
  } else if (const auto format = value("as=")) {
    argument.file.format = parse_transform_format(*format);
  } else if (const auto source = value("src=")) {
    argument.file.source = *source;
  } else if (const auto reference = value("ref=")) {
    argument.file.reference = *reference;
  } else {
    return false;
  }
  return true;
}

Argument parse(const std::string& text) {
  refuse_ants_brackets(text);
  Argument argument;
  std::string rest = text;
  for (auto comma = rest.rfind(','); comma != std::string::npos; comma = rest.rfind(',')) {
    if (!take_word(rest.substr(comma + 1), argument)) break;
    rest.resize(comma);
  }
  if (rest.empty())
    throw Error(fmt::format("--transform {}: there is no file before the comma", text),
                ExitCode::usage)
        .hint("write it without a space: 'a.tfm,inverse'");
  // A comma may be part of a file name; if there is no such file, the word is mistyped.
  const auto comma = rest.rfind(',');
  std::error_code ignored;
  if (comma != std::string::npos && !std::filesystem::exists(rest, ignored) &&
      std::filesystem::exists(rest.substr(0, comma), ignored)) {
    const std::string word = rest.substr(comma + 1);
    throw Error(fmt::format("--transform {}: ',{}' is not known", text, word), ExitCode::usage)
        .hint(word.find('=') == std::string::npos ? "did you mean ',inverse'?"
                                                  : "expected ',as=', ',src=' or ',ref='");
  }
  argument.file.path = rest;
  return argument;
}

Chain read_one(const Argument& argument) {
  const std::string file = argument.file.path.string();
  if (file == "identity") return {};
  Chain chain = read_transform(argument.file);
  if (!argument.inverted) return chain;
  const bool numerical = std::any_of(chain.begin(), chain.end(), [](const Transform& transform) {
    return std::holds_alternative<Displacement>(transform);
  });
  if (numerical)
    log::info("the displacement field in '{}' is inverted numerically, point by point", file);
  try {
    return inverse(std::move(chain));
  } catch (Error& error) {
    throw error.within(fmt::format("'{}' has no inverse", file));
  }
}

// P1Warp.nii.gz, then P0GenericAffine.mat: as ANTs wants them, which applies to a point what is named first.
void warn_of_order_of_ants(const std::vector<Argument>& arguments) {
  const auto prefix = [](const Argument& argument,
                         std::string_view end) -> std::optional<std::string> {
    const std::string name = argument.file.path.string();
    if (!name.ends_with(end)) return std::nullopt;
    return name.substr(0, name.size() - end.size());
  };
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    const auto warp = prefix(arguments[i], "1Warp.nii.gz");
    if (warp && warp == prefix(arguments[i + 1], "0GenericAffine.mat"))
      log::warn(
          "'{}' is applied after '{}' here, since the last --transform is applied first; ANTs means the "
          "other order",
          arguments[i].file.path.string(), arguments[i + 1].file.path.string());
  }
}

}  // namespace

Chain read_chain(const std::vector<std::string>& arguments) {
  std::vector<Argument> parsed;
  for (const auto& text : arguments) parsed.push_back(parse(text));
  warn_of_order_of_ants(parsed);
  std::reverse(parsed.begin(), parsed.end());
  Chain chain;
  std::string first;
  for (const auto& argument : parsed) {
    for (auto& transform : read_one(argument)) {
      if (!chain.empty() && dims_of(transform) != dims_of(chain.front()))
        fail("the transform '{}' is {}-D, but '{}' is {}-D", argument.file.path.string(),
             dims_of(transform), first, dims_of(chain.front()));
      if (chain.empty()) first = argument.file.path.string();
      chain.push_back(std::move(transform));
    }
  }
  return chain;
}

}  // namespace aladdin::app
