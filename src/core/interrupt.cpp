#include "aladdin/core/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

#include "aladdin/core/call.h"

namespace aladdin {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> requested{0};
struct sigaction before[3] = {};
static_assert(std::atomic<int>::is_always_lock_free);

// Every signal is as it was again, so that the next one of any kind ends the process.
void give_back() {
  for (std::size_t s = 0; s < std::size(kSignals); ++s) sigaction(kSignals[s], &before[s], nullptr);
}

extern "C" void request_stop(int signal) {
  requested = signal;
  give_back();
  constexpr char kText[] = "stopping after this step; repeat to stop at once\n";
  static_cast<void>(!write(STDERR_FILENO, kText, sizeof kText - 1));
}

}  // namespace

StopRequests::StopRequests(bool active) : active_(active && !Call::here()) {
  if (!active_) return;
  requested = 0;
  for (std::size_t s = 0; s < std::size(kSignals); ++s) {
    sigaction(kSignals[s], nullptr, &before[s]);
    if (before[s].sa_handler == SIG_IGN) continue;  // as nohup does
    struct sigaction ask {};
    ask.sa_handler = request_stop;
    // No second signal between the two lines of the handler; reads and writes go on.
    for (const int signal : kSignals) sigaddset(&ask.sa_mask, signal);
    ask.sa_flags = SA_RESTART;
    sigaction(kSignals[s], &ask, nullptr);
  }
}

StopRequests::~StopRequests() {
  if (!active_) return;
  give_back();
  requested = 0;
}

int stop_requested() {
  if (const Call* call = Call::here()) return call->stop_requested();
  return requested;
}

}  // namespace aladdin
