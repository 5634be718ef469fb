// For tests only.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>

namespace aladdin {

// A port that the system has chosen, and that nobody else is given while this lives: it is bound, but nobody listens. The
// first process may listen there, since both allow the address to be used again.
class ReservedPort {
 public:
  ReservedPort() : file_(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const bool flat = file_ < 0;  // no IPv6 here
    if (flat) file_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1, off = 0;
    setsockopt(file_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!flat) setsockopt(file_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    sockaddr_in6
        address{};  // any address, port 0; the port is at the same place as in a sockaddr_in
    address.sin6_family = flat ? AF_INET : AF_INET6;
    socklen_t length = flat ? sizeof(sockaddr_in) : sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (bind(file_, name, length) != 0 || getsockname(file_, name, &length) != 0)
      throw std::runtime_error("no port is free");
    port_ = ntohs(address.sin6_port);
  }
  ~ReservedPort() { close(file_); }
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;

  std::uint16_t port() const { return port_; }
  void listen() const { ::listen(file_, 8); }
  int file() const { return file_; }

 private:
  int file_;
  std::uint16_t port_ = 0;
};

}  // namespace aladdin
