// What one call of the library has to itself, for a program that is not ours (Python): its number of threads, where what
// it says goes, and whether it is to stop. Without one these are the process's: set_threads(), stderr, signals.
//
//   class MyCall : public Call { … } call;
//   const CallScope scope(&call);
//   build(options);
//
// parallel_for() hands the call of its thread on to its workers, so every function below may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace aladdin {

class Call {
 public:
  enum class Kind { detail, info, warning, error };

  virtual ~Call() = default;
  // Talk (core/log.h) and the data that a command would print.
  virtual void say(Kind kind, const std::string& line) = 0;
  virtual void print(const std::string& text) = 0;
  // One at a time for each `label`.
  virtual void progress(const std::string& label, std::int64_t done, std::int64_t total) = 0;
  // The signal that asks the call to stop, or 0. Loops that report progress end then with Interrupted; a training ends
  // after its step.
  virtual int stop_requested() const = 0;

  // The call of this thread, or null.
  static Call* here();

  int threads = 0;           // 0: the process's (core/parallel.h)
  bool nan_is_zero = false;  // image/io.h: NanPolicy
  // What ran, and what resumes it, as the user would write it; empty: the words of the command line.
  std::string command, resume_command;
  // Starts the program again, before the words of a command line (apps: trials).
  std::vector<std::string> program;
  // Set by log::copy_to: takes every line, too.
  std::function<void(Kind, const std::string&)> copy;
};

// While it lives, `call` is the call of this thread; null: none.
class CallScope {
 public:
  explicit CallScope(Call* call);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  Call* before_;
};

}  // namespace aladdin
