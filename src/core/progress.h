// Progress of a long loop on stderr: a bar with the time left when stderr is a terminal, a plain
// line every ten seconds when it is not, nothing with -q. Thread-safe. A Call (call.h) has it instead, and may stop it.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace aladdin {

class Progress {
 public:
  Progress(std::string label, std::int64_t total);
  ~Progress();  // ends the bar's line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::int64_t by = 1);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);

  std::string label_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  bool terminal_;
  bool silent_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
  std::mutex mutex_;
};

// "3 s", "4 min 05 s", "2 h 10 min".
std::string format_duration(double seconds);

// The text of a bar: `label  [#####-----]  5/10  3 s left`.
std::string format_bar(const std::string& label, std::int64_t done, std::int64_t total,
                       double elapsed_s);

}  // namespace aladdin
