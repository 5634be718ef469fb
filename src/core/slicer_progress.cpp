#include "aladdin/core/slicer_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace aladdin {
namespace {

using Clock = std::chrono::steady_clock;

std::mutex mutex;
std::string current;  // "": none
Clock::time_point begun, told;

void end_current() {
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - begun).count();
  fmt::print(
      "<filter-end><filter-name>{}</filter-name><filter-time>{:.2f}</filter-time></filter-end>\n",
      current, elapsed_s);
  current.clear();
}

void begin(const std::string& what) {
  fmt::print(
      "<filter-start><filter-name>{0}</filter-name><filter-comment>{0}</filter-comment></filter-start>\n",
      what);
  current = what;
  begun = Clock::now();
  told = {};
}

}  // namespace

void tell_slicer(const std::string& what, double share) {
  const char* wanted = std::getenv("ALADDIN_PROGRESS");
  if (!wanted || std::string_view(wanted) != "slicer") return;
  const std::scoped_lock lock(mutex);
  if (current != what) {
    if (!current.empty()) end_current();
    begin(what);
  }
  const bool done = share >= 1;
  if (!done && Clock::now() - told < std::chrono::milliseconds(100)) return;
  told = Clock::now();
  fmt::print("<filter-progress>{:.4f}</filter-progress>\n", std::clamp(share, 0.0, 1.0));
  if (done) end_current();
  std::fflush(stdout);
}

}  // namespace aladdin
