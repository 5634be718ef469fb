// Inside this folder only: connections that notice when the other end is gone. A peer that dies closes its end; a
// cable that is cut says nothing, and TCP would wait for a quarter of an hour. With this the system itself asks for a
// sign of life and gives the connection up after twenty seconds without one.
#pragma once

#include <set>

namespace aladdin {

// The sockets that this process has open.
std::set<int> open_sockets();
// For all that were opened since.
void keep_alive_since(const std::set<int>& before);

}  // namespace aladdin
