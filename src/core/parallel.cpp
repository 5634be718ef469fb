#include "aladdin/core/parallel.h"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "aladdin/core/call.h"
#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/share_cores.h"

namespace aladdin {
namespace {

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, omp_get_num_procs());
}

std::atomic<int> chosen_threads{0};

}  // namespace

void set_threads(int threads) {
  if (threads < 0)
    fail_usage("{} {} is not 0 (all cores) or more", option_name("threads"), threads);
  const int count = threads == 0 ? usable_cores() : threads;
  if (Call* call = Call::here())
    call->threads = count;
  else
    chosen_threads = count;
}

void share_cores(int processes) {
  if (processes < 2 || chosen_threads != 0) return;
  const int cores = usable_cores();
  if (cores < sysconf(_SC_NPROCESSORS_ONLN)) return;
  set_threads(std::max(1, cores / processes));
}

int threads() {
  if (const Call* call = Call::here(); call && call->threads > 0) return call->threads;
  if (chosen_threads == 0) chosen_threads = usable_cores();
  return chosen_threads;
}

void parallel_for(std::int64_t tasks, const std::function<void(std::int64_t)>& body) {
  const int workers = static_cast<int>(std::min<std::int64_t>(threads(), tasks));
  if (workers <= 1 || omp_in_parallel()) {
    for (std::int64_t task = 0; task < tasks; ++task) body(task);
    return;
  }
  std::exception_ptr first;
  std::mutex mutex;
  std::atomic<bool> stop{false};
  Call* const call = Call::here();
#pragma omp parallel for schedule(dynamic, 1) num_threads(workers)
  for (std::int64_t task = 0; task < tasks; ++task) {
    if (stop.load(std::memory_order_relaxed)) continue;
    const CallScope scope(call);
    try {
      body(task);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!first) first = std::current_exception();
      stop = true;
    }
  }
  if (first) std::rethrow_exception(first);
}

void parallel_ranges(std::int64_t items, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t tasks = (items + grain - 1) / grain;
  parallel_for(tasks,
               [&](std::int64_t task) { body(task * grain, std::min(items, (task + 1) * grain)); });
}

LibraryThreads::LibraryThreads(int threads) : before_(omp_get_max_threads()) {
  omp_set_num_threads(threads);
}

LibraryThreads::~LibraryThreads() { omp_set_num_threads(before_); }

}  // namespace aladdin
