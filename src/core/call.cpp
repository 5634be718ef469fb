#include "aladdin/core/call.h"

namespace aladdin {
namespace {

thread_local Call* current = nullptr;

}  // namespace

Call* Call::here() { return current; }

CallScope::CallScope(Call* call) : before_(current) { current = call; }
CallScope::~CallScope() { current = before_; }

}  // namespace aladdin
