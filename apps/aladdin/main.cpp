// aladdin <command> …: finds the command, runs it, turns every failure into one sentence and an
// exit code (0 done, 1 failed, 2 wrong use, 128 + signal: stopped, and can be resumed).
#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "help.h"
#include "parse.h"
#include "slicer_description.h"

namespace {

using namespace aladdin;  // NOLINT(google-build-using-namespace): this is the program itself

// A file opened while stdout is closed would become stdout and get our output. Closed streams are
// therefore opened read-only, so that output to them fails and is reported.
void occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) == -1) static_cast<void>(open("/dev/null", O_RDONLY));
}

// "| head" has read enough; that is not an error.
bool reader_has_left() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP));
}

// Waiting threads spin for a moment, then sleep. OpenMP's default spins so long that one busy process beside a
// training makes its steps three times slower. OpenMP reads the setting before main(), hence the second start.
void wait_politely(int argc, char** argv) {
  const bool trains = argc > 1 && std::string_view(argv[1]) == "build";
  if (!trains || std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv(app::own_program().c_str(), argv);  // if that fails, continue without
}

void run(std::vector<std::string> words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", app::help_of_all());
    fail_usage("no command given");
  }
  if (words[0] == "help" && words.size() > 1) words = {words[1], "--help"};
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h") {
    fmt::print("{}", app::help_of_all());
  } else if (words[0] == "--version") {
    fmt::print("{}", app::version_text());
  } else if (words.size() == 2 && words[1] == "--xml") {  // 3D Slicer asks every module so
    fmt::print("{}", app::slicer_description(app::find_command(words[0])));
  } else if (words[0].starts_with('-')) {
    const std::string nearest = did_you_mean(words[0], {"--help", "--version"});
    throw Error(fmt::format("aladdin has no flag '{}'", words[0]), ExitCode::usage)
        .hint(nearest.empty() ? "flags follow the command, as in 'aladdin info -v FILE'" : nearest);
  } else {
    app::parse(app::find_command(words[0]), {words.begin() + 1, words.end()})();
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

int run_to_exit_code(const std::vector<std::string>& words) {
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

}  // namespace

int main(int argc, char** argv) {
  wait_politely(argc, argv);
  name_options_as_flags();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error like any other
  remove_unfinished_files_on_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond 'ulimit -f' is an error like any other
  occupy_standard_streams();
  int code = run_to_exit_code({argv + 1, argv + argc});
  log::tell_repeated();
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    const std::string reason = errno ? fmt::format(": {}", std::strerror(errno)) : "";
    if (!reader_has_left()) log::write_error("cannot write to standard output" + reason);
    if (code == 0) code = 1;
  }
  return code;
}
