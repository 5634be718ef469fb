#include "python_call.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"

namespace aladdin::python {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<PythonCall*> listener{nullptr};

extern "C" void ask_to_stop(int signal) {
  if (PythonCall* call = listener) call->request_stop(signal);
}

// While it lives, the signals that would end the process ask the call to stop. Only Python's main thread hears signals.
class Signals {
 public:
  explicit Signals(PythonCall& call) {
    active_ = syscall(SYS_gettid) == getpid() && listener.load() == nullptr;
    if (!active_) return;
    listener = &call;
    for (std::size_t s = 0; s < std::size(kSignals); ++s) {
      sigaction(kSignals[s], nullptr, &before_[s]);
      const bool ignored = before_[s].sa_handler == SIG_IGN;
      const bool others = kSignals[s] != SIGINT && before_[s].sa_handler != SIG_DFL;
      taken_[s] = !ignored && !others;
      if (!taken_[s]) continue;
      struct sigaction ask {};
      ask.sa_handler = ask_to_stop;
      ask.sa_flags = SA_RESTART;
      sigaction(kSignals[s], &ask, nullptr);
    }
  }
  ~Signals() {
    if (!active_) return;
    for (std::size_t s = 0; s < std::size(kSignals); ++s)
      if (taken_[s]) sigaction(kSignals[s], &before_[s], nullptr);
    listener = nullptr;
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  bool active_ = false;
  bool taken_[3] = {};
  struct sigaction before_[3] = {};
};

const char* name_of(Call::Kind kind) {
  switch (kind) {
    case Call::Kind::detail:
      return "debug";
    case Call::Kind::info:
      return "info";
    case Call::Kind::warning:
      return "warning";
    case Call::Kind::error:
      return "error";
  }
  return "";
}

// What the signal would have done without us.
[[noreturn]] void pass_on(int signal, const std::string& what) {
  if (signal != SIGINT) std::raise(signal);
  PyErr_SetString(PyExc_KeyboardInterrupt, what.c_str());
  throw py::error_already_set();
}

}  // namespace

template <class Work>
void PythonCall::with_gil(const Work& work) {
  const py::gil_scoped_acquire gil;
  try {
    work();
  } catch (py::error_already_set& error) {
    if (!raised_) raised_.emplace(error);
    if (stop_ == 0) stop_ = SIGINT;
  }
}

void PythonCall::say(Kind kind, const std::string& line) {
  if (kind == Kind::warning) {
    const std::scoped_lock lock(mutex_);
    warnings_.push_back(line);
    return;
  }
  if (!say_.is_none()) with_gil([&] { say_(name_of(kind), line); });
}

void PythonCall::print(const std::string& text) {
  if (!print_.is_none()) return with_gil([&] { print_(text); });
  const std::scoped_lock lock(mutex_);
  printed_ += text;
}

void PythonCall::progress(const std::string& label, std::int64_t done, std::int64_t total) {
  if (!progress_.is_none()) with_gil([&] { progress_(label, done, total); });
}

void PythonCall::finish() {
  const py::object warn = py::module_::import("aladdin._errors").attr("warn");
  for (const auto& line : std::exchange(warnings_, {})) with_gil([&] { warn(line); });
  if (!raised_) return;
  py::error_already_set error = *raised_;
  raised_.reset();
  throw error;
}

void run_as(PythonCall& call, const std::function<void()>& work) {
  std::exception_ptr failure;
  std::optional<Interrupted> interrupted;
  {
    const Signals signals(call);
    const py::gil_scoped_release release;
    const CallScope scope(&call);
    try {
      work();
    } catch (const Interrupted& stop) {
      interrupted = stop;
    } catch (...) {
      failure = std::current_exception();
    }
    log::tell_repeated();
  }
  call.finish();
  if (interrupted) pass_on(interrupted->signal(), interrupted->what());
  if (failure) std::rethrow_exception(failure);
  if (const int signal = call.stop_requested()) pass_on(signal, "");
}

}  // namespace aladdin::python
