// The one error type. A message is one sentence that says what failed, which file or key, what was
// expected and what was found; the hint says what to do. Context is added on the way up:
//
//   try { … } catch (Error& e) { throw e.within("while reading cohort.csv"); }
//
// prints   error: while reading cohort.csv: <what>; <hint>
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>

namespace aladdin {

enum class ExitCode : int { done = 0, failed = 1, usage = 2 };

class Error : public std::exception {
 public:
  explicit Error(std::string message, ExitCode code = ExitCode::failed);

  // Adds an outer context; the outermost is printed first.
  Error& within(const std::string& context);
  // What the user can do about it; the last hint given wins.
  Error& hint(std::string advice);
  // It is the place where results go that failed: what comes next cannot be written either.
  Error& of_output();

  const char* what() const noexcept override { return text_.c_str(); }
  ExitCode exit_code() const noexcept { return code_; }
  bool is_of_output() const noexcept { return of_output_; }

 private:
  void compose();

  std::string message_;
  std::string hint_;
  ExitCode code_;
  bool of_output_ = false;
  std::string text_;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

// Wrong use of the command line or of a configuration: exit code 2.
template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...), ExitCode::usage);
}

}  // namespace aladdin
