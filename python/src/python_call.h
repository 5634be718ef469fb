// One call from Python into the library (core/call.h): without the GIL, with its own threads, progress and log, and
// stopped by Ctrl-C.
//
//   m.def("f", [](PythonCall& call, …) { return run(call, [&] { return f(…); }); });
//
// What is said goes to a callback at once, from any thread; warnings are Python's, given on the thread of the call once it
// has ended. A callback that raises stops the call, which then raises the same.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "aladdin/core/call.h"

namespace aladdin::python {

namespace py = pybind11;

class PythonCall : public Call {
 public:
  // say(level, line) and progress(label, done, total), or None. print_live(text): None keeps what is printed.
  PythonCall(py::object say, py::object progress, py::object print_live)
      : say_(std::move(say)), progress_(std::move(progress)), print_(std::move(print_live)) {}

  void say(Kind kind, const std::string& line) override;
  void print(const std::string& text) override;
  void progress(const std::string& label, std::int64_t done, std::int64_t total) override;
  int stop_requested() const override { return stop_; }
  void request_stop(int signal) { stop_ = signal; }

  const std::string& printed() const { return printed_; }
  // With the GIL, on the thread of the call: warnings, then what a callback raised.
  void finish();

 private:
  template <class Work>
  void with_gil(const Work& work);

  py::object say_, progress_, print_;
  std::string printed_;
  std::vector<std::string> warnings_;
  std::optional<py::error_already_set> raised_;
  std::mutex mutex_;
  std::atomic<int> stop_{0};
};

// Runs `work` as the call, without the GIL. Throws what the work throws, what a callback raised, or KeyboardInterrupt.
void run_as(PythonCall& call, const std::function<void()>& work);

template <class Work>
auto run(PythonCall& call, const Work& work) -> decltype(work()) {
  using Result = decltype(work());
  if constexpr (std::is_void_v<Result>) {
    run_as(call, work);
  } else {
    std::optional<Result> result;
    run_as(call, [&] { result.emplace(work()); });
    return std::move(*result);
  }
}

}  // namespace aladdin::python
