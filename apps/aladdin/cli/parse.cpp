#include "parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "declaration.h"
#include "help.h"

namespace aladdin::app {
namespace {

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto& flag : declared_flags(app))
    if (!flag.argument) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

Error usage_error(const CLI::App& app, std::string message, std::string hint = "") {
  if (hint.empty()) hint = fmt::format("see '{} --help'", app.get_name());
  return Error(std::move(message), ExitCode::usage).hint(std::move(hint));
}

// If an argument may be a pattern, the shell has probably expanded it to several words.
std::string pattern_hint(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (!option->nonpositional() && option->get_type_name().find("PATTERN") != std::string::npos)
      return "quote the pattern, as in 'images/*.nii.gz', so that the shell does not expand it";
  return "";
}

Error unexpected_word(const CLI::App& app, const std::string& word) {
  if (word.size() < 2 || word[0] != '-')
    return usage_error(app,
                       fmt::format("{} does not expect the argument '{}'", app.get_name(), word),
                       pattern_hint(app));
  const std::string name = word.substr(0, word.find('='));
  return usage_error(app, fmt::format("{} has no flag '{}'", app.get_name(), name),
                     name.size() > 2 ? did_you_mean(name, flag_names(app)) : "");
}

// "--interp: cubic not in {linear,nearest}" is how CLI11 says it.
Error invalid_value(const CLI::App& app, const std::string& message) {
  const auto colon = message.find(": ");
  const auto middle = message.rfind(" not in {");
  if (colon == std::string::npos || middle == std::string::npos) return usage_error(app, message);
  const std::string value = message.substr(colon + 2, middle - colon - 2);
  const auto open = middle + std::string(" not in {").size();
  const auto choices = split(message.substr(open, message.rfind('}') - open), ',');
  if (choices.size() == 1)
    return usage_error(app, fmt::format("'{}' is not a value of {}, only {} is supported", value,
                                        message.substr(0, colon), choices.front()));
  const std::string sentence = fmt::format("'{}' is not a value of {}, expected one of {}", value,
                                           message.substr(0, colon), fmt::join(choices, ", "));
  return usage_error(app, sentence, did_you_mean(value, choices));
}

// The option that a message of CLI11 is about: the one with the longest name in it.
const CLI::Option* subject_of(const CLI::App& app, const std::string& message) {
  const CLI::Option* subject = nullptr;
  for (const CLI::Option* option : app.get_options())
    if (message.find(option->get_name()) != std::string::npos &&
        (!subject || option->get_name().size() > subject->get_name().size()))
      subject = option;
  return subject;
}

// A flag with several values also takes the arguments after it.
Error missing(const CLI::App& app, const CLI::Option& needed) {
  const std::string sentence =
      fmt::format("{} needs {} ({})", app.get_name(), needed.get_name(), needed.get_description());
  for (const CLI::Option* option : app.get_options())
    if (!needed.nonpositional() && option->nonpositional() && option->results().size() > 1 &&
        option->get_delimiter() == '\0')
      return usage_error(app, sentence,
                         fmt::format("put {} before {}", needed.get_name(), option->get_name()));
  return usage_error(app, sentence);
}

Error wrong_count(const CLI::App& app, const CLI::Option& option) {
  const auto given = option.results().size();
  const std::string name = option.get_name();
  const int least = option.get_items_expected_min(), most = option.get_items_expected_max();
  if (given < 2 && least < 2)
    return usage_error(app, fmt::format("{} needs a value ({})", name, option.get_description()));
  if (most == 1)
    return usage_error(app, fmt::format("{} is given {} times, expected once", name, given));
  const std::string expected = least == most ? fmt::format("{}", least)
                               : most > 100  ? fmt::format("at least {}", least)
                                             : fmt::format("{} to {}", least, most);
  return usage_error(app, fmt::format("{} has {} values, expected {}", name, given, expected));
}

Error explain(const CLI::App& app, const CLI::ParseError& problem) {
  // A misspelt flag often makes another one look missing, so it is reported first.
  for (const auto& word : app.remaining())
    if (word.size() > 1 && word[0] == '-') return unexpected_word(app, word);
  const std::string message = problem.what();
  const CLI::Option* option = subject_of(app, message);
  if (!app.remaining().empty() && dynamic_cast<const CLI::ExtrasError*>(&problem))
    return unexpected_word(app, app.remaining().front());
  if (dynamic_cast<const CLI::ValidationError*>(&problem)) return invalid_value(app, message);
  if (message.ends_with("disallowed flag override"))  // "quiet was given a …"
    return usage_error(
        app, fmt::format("--{} is a switch and takes no value", split(message, ' ').front()));
  if (option == nullptr) return usage_error(app, message);
  if (dynamic_cast<const CLI::RequiredError*>(&problem)) return missing(app, *option);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem)) return wrong_count(app, *option);
  if (dynamic_cast<const CLI::ConversionError*>(&problem)) {
    const char between = option->get_delimiter() == '\0' ? ' ' : option->get_delimiter();
    const std::string given = fmt::format("{}", fmt::join(option->results(), std::string{between}));
    return usage_error(app, fmt::format("'{}' is not a value of {} ({})", given, option->get_name(),
                                        option->get_description()));
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&problem)) {
    const auto pair = split(message, ' ');  // "--quiet excludes --verbose"
    return usage_error(app,
                       fmt::format("{} and {} cannot be used together", pair.front(), pair.back()));
  }
  return usage_error(app, message);
}

// CLI11 takes whatever follows a flag as its value, even the next flag, or nothing at all: a script's unset "$OUT".
void require_values(const CLI::App& app) {
  const auto names = flag_names(app);
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;
    for (const auto& value : option->results()) {
      if (value.empty())
        throw usage_error(
            app, fmt::format("{} is empty ({})", option->get_name(), option->get_description()));
      if (option->nonpositional() && std::find(names.begin(), names.end(), value) != names.end())
        throw usage_error(
            app, fmt::format("{} needs a value, but '{}' follows it", option->get_name(), value));
    }
  }
}

}  // namespace

Declared declare(const Command& command) {
  Declared declared;
  declared.app = std::make_unique<CLI::App>(command.description, "aladdin " + command.name);
  CLI::App& app = *declared.app;
  app.set_help_flag();  // ours comes last
  declared.action = command.declare(app);
  auto* quiet = app.add_flag("-q,--quiet")
                    ->disable_flag_override()
                    ->description("Print only warnings, errors and what goes to no file");
  app.add_flag("-v,--verbose")
      ->disable_flag_override()
      ->description("Say more, also about errors")
      ->excludes(quiet);
  app.set_help_flag("-h,--help", "Print this help");
  return declared;
}

std::function<void()> parse(const Command& command, const std::vector<std::string>& words) {
  const Declared declared = declare(command);
  CLI::App& app = *declared.app;
  try {
    app.parse(
        std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 wants the last first
    require_values(app);
  } catch (const CLI::CallForHelp&) {
    return [&command] { fmt::print("{}", help_of(command)); };
  } catch (const CLI::ParseError& problem) {
    throw explain(app, problem);
  }
  if (app.count("--verbose") > 0) log::set_level(log::Level::verbose);
  if (app.count("--quiet") > 0) log::set_level(log::Level::quiet);
  return declared.action;
}

}  // namespace aladdin::app
