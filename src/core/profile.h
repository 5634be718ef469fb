// Where the time of a piece of work goes, by name. Off until start(); a span then costs two looks at the clock, and
// before one test of a flag. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aladdin::profile {

struct Part {
  std::string name;
  std::int64_t calls = 0;
  double seconds = 0, operations = 0;
};

void start();
bool on();
// Those that were met, in the order in which they first ended.
std::vector<Part> parts();
const char* const kWhole = "step";  // what the others are parts of; outside it nothing counts

// The time from here to the end of the scope; spans inside a span that is not kWhole do not count.
class Span {
 public:
  explicit Span(const char* name, double operations = 0);
  ~Span();
  Span(const Span&) = delete;

 private:
  const char* name_ = nullptr;  // null: does not count
  double operations_ = 0, started_ = 0;
};

}  // namespace aladdin::profile
