// Stopping where nothing is lost. While a StopRequests lives, the first SIGINT, SIGTERM or SIGHUP only
// asks: stop_requested() says which, and long work ends where it can go on later, with Interrupted. The
// second ends the process at once, as all do when no StopRequests lives (core/files.h).
//
// For programs: main() makes Interrupted an exit code of 128 + signal. A library takes no signals unless
// it is asked to (BuildOptions::take_signals).
#pragma once

#include <exception>
#include <string>

namespace aladdin {

class StopRequests {
 public:
  // With `active` false nothing is taken. At most one at a time is active.
  explicit StopRequests(bool active);
  ~StopRequests();
  StopRequests(const StopRequests&) = delete;
  StopRequests& operator=(const StopRequests&) = delete;

 private:
  bool active_;
};

// The signal, or 0.
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
