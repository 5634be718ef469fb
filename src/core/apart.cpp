#include "aladdin/core/apart.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

#include "aladdin/core/transfer.h"

namespace aladdin {
namespace {

// The last byte of what a child hands back: it is there once all else is.
enum class Outcome : char { value = 'v', failed = 'f', usage = 'u', no_memory = 'm' };

[[noreturn]] void fail_to_start() {
  throw Error(fmt::format("cannot start a process to read a file in: {}", std::strerror(errno)))
      .hint("is there enough memory, and does the system allow more processes?");
}

// Bytes in memory that two processes share.
class SharedBytes {
 public:
  SharedBytes() : file_(memfd_create("aladdin", MFD_CLOEXEC)) {
    if (file_ < 0) fail_to_start();
  }
  ~SharedBytes() { close(file_); }
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;

  bool write(std::string_view bytes) const {
    return move_all(pwrite, file_, bytes.data(), bytes.size(), 0);
  }
  std::string read() const {
    struct stat state {};
    if (fstat(file_, &state) != 0) return "";
    std::string bytes(static_cast<std::size_t>(state.st_size), '\0');
    return move_all(pread, file_, bytes.data(), bytes.size(), 0) ? bytes : "";
  }

 private:
  int file_;
};

std::uint64_t address_bytes() {
  unsigned long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return std::uint64_t{pages} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource what, rlim_t most) {
  struct rlimit now {};
  if (getrlimit(what, &now) != 0) return;
  now.rlim_cur = now.rlim_max = std::min({most, now.rlim_cur, now.rlim_max});
  setrlimit(what, &now);
}

// Neither the handlers of this program nor its standard streams are the child's, and it ends with its parent.
void set_apart(const ApartLimits& limits, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  for (const int signal : {SIGALRM, SIGXCPU, SIGXFSZ, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    std::signal(signal, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0)
    for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.memory_bytes);  // of what it hands back
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds));
  if (const std::uint64_t now = address_bytes(); now > 0)
    limit(RLIMIT_AS, now + limits.memory_bytes);
  alarm(static_cast<unsigned>(6 * limits.cpu_seconds));
}

[[noreturn]] void be_child(const SharedBytes& out, const std::function<std::string()>& work) {
  std::string bytes;
  Outcome outcome = Outcome::value;
  try {
    bytes = work();
  } catch (const Error& error) {
    bytes = error.what();
    outcome = error.exit_code() == ExitCode::usage ? Outcome::usage : Outcome::failed;
  } catch (const std::bad_alloc&) {
    outcome = Outcome::no_memory;
  } catch (...) {  // of a library: whatever it says is about its own inside
    _exit(1);
  }
  bytes += static_cast<char>(outcome);
  _exit(out.write(bytes) ? 0 : 1);
}

}  // namespace

ApartLimits limits_for(std::uint64_t stored_bytes, std::uint64_t unpacked_bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40, kSpare = std::uint64_t{1} << 30;
  const std::uint64_t all = std::min(kMost, stored_bytes) + std::min(kMost, unpacked_bytes);
  return {kSpare + 4 * all, static_cast<int>(5 + (all >> 21))};
}

std::string run_apart(const ApartLimits& limits, const Error& died,
                      const std::function<std::string()>& work) {
  const SharedBytes out;
  const pid_t parent = getpid(), child = fork();
  if (child < 0) fail_to_start();
  if (child == 0) {
    set_apart(limits, parent);
    be_child(out, work);
  }
  // ECHILD: whoever started us has SIGCHLD ignored; the child has ended all the same.
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string bytes = out.read();
  if (bytes.empty() && WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGALRM || signal == SIGXCPU || signal == SIGKILL)
      throw Error(fmt::format("{} (reading it took too long or too much memory)", died.what()));
  }
  if (bytes.empty()) throw died;
  const auto outcome = static_cast<Outcome>(bytes.back());
  bytes.pop_back();
  switch (outcome) {
    case Outcome::value:
      return bytes;
    case Outcome::failed:
      throw Error(bytes);
    case Outcome::usage:
      throw Error(bytes, ExitCode::usage);
    case Outcome::no_memory:
      throw std::bad_alloc();
  }
  throw died;
}

std::string_view take_bytes(std::string_view& bytes, std::uint64_t count) {
  if (count > bytes.size()) fail("the process that read the file returned too few bytes");
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

}  // namespace aladdin
