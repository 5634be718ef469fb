#include "aladdin/core/error.h"

namespace aladdin {

Error::Error(std::string message, ExitCode code) : message_(std::move(message)), code_(code) {
  compose();
}

Error& Error::within(const std::string& context) {
  message_ = context + ": " + message_;
  compose();
  return *this;
}

Error& Error::hint(std::string advice) {
  hint_ = std::move(advice);
  compose();
  return *this;
}

Error& Error::of_output() {
  of_output_ = true;
  return *this;
}

void Error::compose() { text_ = hint_.empty() ? message_ : message_ + "; " + hint_; }

}  // namespace aladdin
