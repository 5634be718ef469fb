// One process at a time in a run directory. The system gives the lock back when its owner dies, so a
// run that was killed does not block the next.
#pragma once

#include "aladdin/run/run_directory.h"

namespace aladdin {

// Whether a process is building there at this moment.
bool is_locked(const RunDirectory& run);

class RunLock {
 public:
  // Throws when another process has it. Makes the folder if needed.
  explicit RunLock(const RunDirectory& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace aladdin
