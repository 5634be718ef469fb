#include "aladdin/team/keepalive.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <charconv>
#include <filesystem>

namespace aladdin {
namespace {

constexpr int kQuietSeconds = 5, kAskSeconds = 5, kAsk = 3;
constexpr unsigned kUnansweredMs = 1000 * (kQuietSeconds + kAsk * kAskSeconds);

}  // namespace

std::set<int> open_sockets() {
  std::set<int> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::string name = entry.path().filename().string();
    int file = -1;
    std::from_chars(name.data(), name.data() + name.size(), file);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && S_ISSOCK(status.st_mode)) out.insert(file);
  }
  return out;
}

void keep_alive_since(const std::set<int>& before) {
  for (const int file : open_sockets()) {
    if (before.contains(file)) continue;
    const auto set = [file](int level, int option, auto value) {
      setsockopt(file, level, option, &value, sizeof value);  // not TCP: nothing to keep
    };
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, kQuietSeconds);
    set(IPPROTO_TCP, TCP_KEEPINTVL, kAskSeconds);
    set(IPPROTO_TCP, TCP_KEEPCNT, kAsk);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, kUnansweredMs);
  }
}

}  // namespace aladdin
