#include "aladdin/core/profile.h"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace aladdin::profile {
namespace {

struct State {
  bool on = false, inside_whole = false, inside_part = false;
  std::vector<Part> parts;
};
State state;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_whole(const char* name) { return std::string_view(name) == kWhole; }

}  // namespace

void start() { state.on = true; }
bool on() { return state.on; }
std::vector<Part> parts() { return state.parts; }

Span::Span(const char* name, double operations) {
  if (!state.on) return;
  bool& inside = is_whole(name) ? state.inside_whole : state.inside_part;
  if (inside || (!is_whole(name) && !state.inside_whole)) return;
  inside = true;
  name_ = name;
  operations_ = operations;
  started_ = now();
}

Span::~Span() {
  if (!name_) return;
  (is_whole(name_) ? state.inside_whole : state.inside_part) = false;
  auto part = std::find_if(state.parts.begin(), state.parts.end(),
                           [&](const Part& each) { return each.name == name_; });
  if (part == state.parts.end()) part = state.parts.insert(part, Part{name_});
  ++part->calls;
  part->seconds += now() - started_;
  part->operations += operations_;
}

}  // namespace aladdin::profile
