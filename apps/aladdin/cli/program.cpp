#include "program.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "help.h"
#include "parse.h"
#include "slicer_description.h"

namespace aladdin::app {
namespace {

void run(std::vector<std::string> words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", help_of_all());
    fail_usage("no command given");
  }
  if (words[0] == "help" && words.size() > 1) words = {words[1], "--help"};
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h") {
    fmt::print("{}", help_of_all());
  } else if (words[0] == "--version") {
    fmt::print("{}", version_text());
  } else if (words.size() == 2 && words[1] == "--xml") {  // 3D Slicer asks every module so
    fmt::print("{}", slicer_description(find_command(words[0])));
  } else if (words[0].starts_with('-')) {
    const std::string nearest = did_you_mean(words[0], {"--help", "--version"});
    throw Error(fmt::format("aladdin has no flag '{}'", words[0]), ExitCode::usage)
        .hint(nearest.empty() ? "flags follow the command, as in 'aladdin info -v FILE'" : nearest);
  } else {
    parse(find_command(words[0]), {words.begin() + 1, words.end()})();
  }
}

// The first line says what happened; below it libraries add their backtrace.
std::string describe(const std::exception& error) {
  const std::string text = error.what();
  if (log::level() != log::Level::verbose) return text.substr(0, text.find('\n'));
  int status = 0;
  char* name = abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status);
  const std::string type = name ? name : typeid(error).name();
  std::free(name);
  return fmt::format("{}: {}", type, text);
}

}  // namespace

int run_words(const std::vector<std::string>& words) {
  try {
    run(words);
    return 0;
  } catch (const Error& error) {
    log::write_error(error.what());
    return static_cast<int>(error.exit_code());
  } catch (const Interrupted& stop) {
    log::write_warning(stop.what());
    return 128 + stop.signal();
  } catch (const std::bad_alloc&) {
    log::write_error("not enough memory; use smaller images or a coarser grid");
  } catch (const std::exception& error) {
    // fmt throws when stdout cannot be written; the caller says that better.
    if (!std::ferror(stdout)) log::write_error("unexpected: " + describe(error));
  }
  return 1;
}

}  // namespace aladdin::app
