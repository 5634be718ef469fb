#include "aladdin/run/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "aladdin/core/error.h"

namespace aladdin {

bool is_locked(const RunDirectory& run) {
  const int file = ::open(run.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return held;
}

RunLock::RunLock(const RunDirectory& run) {
  make_folder(run.folder);
  file_ = ::open(run.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file_ < 0) fail("'{}' cannot be written to: {}", run.folder.string(), std::strerror(errno));
  while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    const int problem = errno;
    ::close(file_);
    if (problem != EWOULDBLOCK)
      throw Error(
          fmt::format("'{}' cannot be locked: {}", run.folder.string(), std::strerror(problem)))
          .hint(
              "its disk may not support locks (Lustre: mount it with -o flock); choose another one");
    throw Error(fmt::format("another process is building in '{}'", run.folder.string()))
        .hint("wait for it, or choose another folder");
  }
}

RunLock::~RunLock() { ::close(file_); }

}  // namespace aladdin
