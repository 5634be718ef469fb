// Stopping without losing work. While a StopRequests lives, the first SIGINT, SIGTERM or SIGHUP is only a
// request: stop_requested() returns it, and long work ends with Interrupted where it can be resumed. A second
// signal ends the process at once, as the first does when no StopRequests lives (core/files.h).
//
// For programs: main() turns Interrupted into an exit code of 128 + signal. The library takes signals only if
// it is asked to (BuildOptions::take_signals).
#pragma once

#include <exception>
#include <string>

namespace aladdin {

class StopRequests {
 public:
  // An inactive one takes no signals, nor does one within a Call (call.h). At most one is active at a time.
  explicit StopRequests(bool active);
  ~StopRequests();
  StopRequests(const StopRequests&) = delete;
  StopRequests& operator=(const StopRequests&) = delete;

 private:
  bool active_;
};

// The signal, or 0; that of this call where there is one.
int stop_requested();

// Not an Error: nothing went wrong.
class Interrupted : public std::exception {
 public:
  Interrupted(int signal, std::string message) : signal_(signal), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  int signal() const { return signal_; }

 private:
  int signal_;
  std::string message_;
};

}  // namespace aladdin
