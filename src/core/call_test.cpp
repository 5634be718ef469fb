#include "aladdin/core/call.h"

#include <gtest/gtest.h>

#include <csignal>
#include <mutex>
#include <set>
#include <thread>

#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"

namespace aladdin {
namespace {

class Recorder : public Call {
 public:
  void say(Kind, const std::string& line) override {
    const std::scoped_lock lock(mutex_);
    said.insert(line);
  }
  void print(const std::string& text) override { printed += text; }
  void progress(const std::string&, std::int64_t done, std::int64_t) override { last = done; }
  int stop_requested() const override { return stop; }

  std::set<std::string> said;
  std::string printed;
  std::int64_t last = 0;
  int stop = 0;

 private:
  std::mutex mutex_;
};

TEST(Call, HasThreadsOfItsOwn) {
  set_threads(3);
  {
    Recorder call;
    const CallScope scope(&call);
    set_threads(2);
    EXPECT_EQ(threads(), 2);
    std::thread([] { EXPECT_EQ(threads(), 3); }).join();
  }
  EXPECT_EQ(threads(), 3);
  set_threads(0);
}

TEST(Call, HearsWhatItsWorkersSay) {
  Recorder call;
  {
    const CallScope scope(&call);
    set_threads(4);
    parallel_for(16, [](std::int64_t i) { log::info("task {}", i); });
    log::warn("careful");
  }
  EXPECT_EQ(call.said.size(), 17U);
  EXPECT_TRUE(call.said.contains("careful"));
}

TEST(Call, StopsALoopThatReportsProgress) {
  Recorder call;
  const CallScope scope(&call);
  set_threads(2);
  Progress progress("working", 100);
  const auto work = [&] {
    parallel_for(100, [&](std::int64_t i) {
      if (i == 10) call.stop = SIGINT;
      progress.advance();
    });
  };
  EXPECT_THROW(work(), Interrupted);
  EXPECT_LT(call.last, 100);
}

TEST(Call, KeepsItsSignalsToItself) {
  struct sigaction before {
  }, now{};
  sigaction(SIGINT, nullptr, &before);
  Recorder call;
  const CallScope scope(&call);
  const StopRequests stops(true);
  sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(before.sa_handler, now.sa_handler);
  call.stop = SIGTERM;
  EXPECT_EQ(stop_requested(), SIGTERM);
}

}  // namespace
}  // namespace aladdin
