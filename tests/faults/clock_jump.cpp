// Preloaded: the clock of the day jumps, a day ahead and two back in turn, every 50th time somebody asks.
#include <dlfcn.h>
#include <time.h>

#include <atomic>

extern "C" int clock_gettime(clockid_t clock, timespec* now) {
  using Function = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  static std::atomic<int> asked{0};
  const int result = real(clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += (asked++ / 50 % 2 == 0 ? 1 : -2) * 86400;
  return result;
}
