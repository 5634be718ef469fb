#include "aladdin/core/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "aladdin/core/call.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/slicer_progress.h"

namespace aladdin {

std::string format_duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_bar(const std::string& label, std::int64_t done, std::int64_t total,
                       double elapsed_s) {
  constexpr int kWidth = 30;
  const double share =
      total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0)
                : 1.0;
  const int filled = static_cast<int>(share * kWidth);
  const std::string left = done == 0
                               ? ""
                               : format_duration(elapsed_s * static_cast<double>(total - done) /
                                                 static_cast<double>(done)) +
                                     " left";
  return fmt::format("{}  [{}{}]  {}/{}  {}", label, std::string(filled, '#'),
                     std::string(kWidth - filled, '-'), done, total, left);
}

Progress::Progress(std::string label, std::int64_t total)
    : label_(std::move(label)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) != 0),
      silent_(log::level() == log::Level::quiet),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (drawn_ && terminal_) std::fputs("\n", stderr);
}

void Progress::advance(std::int64_t by) {
  const std::scoped_lock lock(mutex_);
  done_ += by;
  tell_slicer(label_, total_ > 0 ? static_cast<double>(done_) / static_cast<double>(total_) : 1.0);
  if (Call* call = Call::here()) {
    call->progress(label_, done_, total_);
    if (const int signal = call->stop_requested())
      throw Interrupted(signal, fmt::format("stopped: {}, {} of {}", label_, done_, total_));
    return;
  }
  if (silent_) return;
  const auto now = Clock::now();
  const auto period = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  const bool last = done_ == total_ && (terminal_ || drawn_);
  if (now - last_ >= period || last) draw(now);
}

void Progress::draw(Clock::time_point now) {
  const double elapsed_s = std::chrono::duration<double>(now - start_).count();
  if (terminal_) {
    fmt::print(stderr, "\r{}\033[K", format_bar(label_, done_, total_, elapsed_s));
    std::fflush(stderr);
  } else {
    log::info("{}: {} of {} after {}", label_, done_, total_, format_duration(elapsed_s));
  }
  last_ = now;
  drawn_ = true;
}

}  // namespace aladdin
