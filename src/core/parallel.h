// One pool for everything: OpenMP's, which oneDNN uses too, so that threads are never
// oversubscribed. Work is cut into tasks by the caller, independently of the number of threads;
// since each task writes only its own outputs, results are the same bits for any thread count.
#pragma once

#include <cstdint>
#include <functional>

namespace aladdin {

// 0 = all cores this process may use. Throws on a negative number. Of this call alone where there is one (call.h).
void set_threads(int threads);
int threads();

// Calls body(0) … body(tasks - 1), in any order, on all threads. The first exception is rethrown
// here once running tasks have ended. Nested calls run serially.
void parallel_for(std::int64_t tasks, const std::function<void(std::int64_t)>& body);

// The same over ranges [begin, end) of at most `grain` items: for loops whose items are cheap.
void parallel_ranges(std::int64_t items, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body);

// While it lives, other libraries on this thread's OpenMP (oneDNN, Torch) use that many threads. Those cut their work by
// this number, so it is only raised for what gives the same bits whatever it is. parallel_for() does not look at it.
class LibraryThreads {
 public:
  explicit LibraryThreads(int threads);
  ~LibraryThreads();
  LibraryThreads(const LibraryThreads&) = delete;
  LibraryThreads& operator=(const LibraryThreads&) = delete;

 private:
  int before_;
};

}  // namespace aladdin
