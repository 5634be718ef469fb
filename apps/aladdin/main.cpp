// aladdin <command> …: the process around it: signals, streams, threads.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "aladdin/core/files.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "command.h"
#include "program.h"

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

}  // namespace

int main(int argc, char** argv) {
  wait_politely(argc, argv);
  name_options_as_flags();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error like any other
  remove_unfinished_files_on_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond 'ulimit -f' is an error like any other
  occupy_standard_streams();
  int code = app::run_words({argv + 1, argv + argc});
  log::tell_repeated();
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    const std::string reason = errno ? fmt::format(": {}", std::strerror(errno)) : "";
    if (!reader_has_left()) log::write_error("cannot write to standard output" + reason);
    if (code == 0) code = 1;
  }
  return code;
}
