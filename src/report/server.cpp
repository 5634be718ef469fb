#include "aladdin/report/server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/report/viewer_data.h"

namespace aladdin::report {
namespace {

constexpr int kMostConnections = 32;
constexpr std::size_t kMostRequestBytes = 16384;
constexpr int kTimeout_s = 10;

// Closes what it holds.
struct Socket {
  int fd;
  explicit Socket(int descriptor) : fd(descriptor) {}
  ~Socket() {
    if (fd >= 0) ::close(fd);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
};

HttpResponse refuse(int status, const std::string& why) {
  return {status, "text/plain; charset=utf-8", why + "\n"};
}

bool is_own_host(const std::string& host, int port) {
  for (const char* name : {"127.0.0.1", "localhost"})
    if (host == fmt::format("{}:{}", name, port)) return true;
  return false;
}

// Browsers say where a request comes from; other programs say nothing.
bool is_foreign(const HttpRequest& request, int port) {
  const auto origin = request.headers.find("origin");
  if (origin != request.headers.end() &&
      (!origin->second.starts_with("http://") || !is_own_host(origin->second.substr(7), port)))
    return true;
  const auto site = request.headers.find("sec-fetch-site");
  return site != request.headers.end() && site->second != "same-origin" && site->second != "none";
}

bool is_inside(const Path& path, const Path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

bool send_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// Up to the empty line; nothing if it does not come.
std::optional<std::string> receive(int fd) {
  std::string text;
  char part[2048];
  while (text.find("\r\n\r\n") == std::string::npos) {
    const ssize_t got = ::recv(fd, part, sizeof(part), 0);
    if (got <= 0 || text.size() > kMostRequestBytes) return std::nullopt;
    text.append(part, static_cast<std::size_t>(got));
  }
  return text;
}

void answer(int fd, Site& site, int port) {
  static std::mutex one_at_a_time;
  const auto text = receive(fd);
  if (!text) return;
  const auto request = parse_request(*text);
  HttpResponse response = refuse(400, "this is not an HTTP request");
  if (request) {
    const std::scoped_lock lock(one_at_a_time);
    try {
      response = site.respond(*request, port);
    } catch (const std::exception& error) {
      log::warn("{}: {}", one_line(request->target), error.what());
      response = refuse(500, error.what());
    }
  }
  send_all(fd, to_text(response, request && request->method == "HEAD"));
}

int listen_on_loopback(int port, int& bound) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      ::listen(fd, 16) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    const std::string why = std::strerror(errno);
    if (fd >= 0) ::close(fd);
    throw Error(fmt::format("cannot listen on port {} of this machine: {}", port, why))
        .hint(fmt::format("{} 0 takes any free port", option_name("port")));
  }
  bound = ntohs(address.sin_port);
  return fd;
}

}  // namespace

Site::Site(std::vector<Path> runs, ReportOptions options)
    : runs_(std::move(runs)), options_(std::move(options)) {
  page();
}

HttpResponse Site::page() {
  if (page_.empty() || training_) {
    findings_ = find_out(runs_, options_);
    page_ = page_html(findings_, options_);
    training_ = false;
    for (const RunFindings& run : findings_) training_ = training_ || !run.data.record.is_done();
  }
  return {200, "text/html; charset=utf-8", page_};
}

HttpResponse Site::data(const std::string& name) {
  const Bytes bytes = volume(findings_, name);
  return {200, "application/octet-stream", {bytes.begin(), bytes.end()}};
}

HttpResponse Site::file(const std::string& path) const {
  HttpResponse missing = refuse(404, "there is nothing here");
  const auto slash = path.find('/');
  const auto number = parse_integer(path.substr(0, slash));
  if (slash == std::string::npos || !number || *number < 0 ||
      *number >= static_cast<long long>(runs_.size()))
    return missing;
  const std::string name = path.substr(slash + 1);
  for (const auto& part : split(name, '/'))
    if (part.starts_with('.')) return missing;
  std::error_code failed;
  const Path folder = std::filesystem::canonical(runs_[static_cast<std::size_t>(*number)], failed);
  if (failed) return missing;
  const Path target = std::filesystem::canonical(folder / name, failed);
  if (failed || !is_inside(target, folder) || !std::filesystem::is_regular_file(target, failed))
    return missing;
  return {200, "application/octet-stream", read_text(target)};
}

HttpResponse Site::respond(const HttpRequest& request, int port) {
  const auto host = request.headers.find("host");
  if (host == request.headers.end() || !is_own_host(host->second, port) ||
      is_foreign(request, port))
    return refuse(403, "this server answers its own page on this machine only");
  if (request.method != "GET" && request.method != "HEAD")
    return refuse(405, "this server is read-only");
  const auto path = safe_path(request.target);
  if (!path) return refuse(400, "this is not a path");
  if (*path == "/") return page();
  if (path->starts_with("/data/")) {
    try {
      return data(path->substr(6));
    } catch (const Error& error) {
      return refuse(404, error.what());
    }
  }
  if (path->starts_with("/run/")) return file(path->substr(5));
  return refuse(404, "there is nothing here");
}

namespace {

// Until somebody connects. Where a call serves (core/call.h) it can be asked to stop, and the answers that are still being
// given end first: they read the site.
void await_connection(int listener, const std::atomic<int>& connections) {
  for (;;) {
    pollfd waiting{listener, POLLIN, 0};
    if (::poll(&waiting, 1, 200) > 0) return;
    const int signal = stop_requested();
    if (signal == 0) continue;
    while (connections > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    throw Interrupted(signal, "stopped");
  }
}

}  // namespace

void serve(Site& site, int port, const std::function<void(const std::string&)>& ready) {
  int bound = 0;
  const Socket listener(listen_on_loopback(port, bound));
  ready(fmt::format("http://127.0.0.1:{}/", bound));
  static std::atomic<int> connections{0};
  for (;;) {
    await_connection(listener.fd, connections);
    const int fd = ::accept4(listener.fd, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      fail("cannot accept a connection: {}", std::strerror(errno));
    }
    if (connections >= kMostConnections) {
      ::close(fd);
      continue;
    }
    const timeval timeout{kTimeout_s, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
    ++connections;
    std::thread([fd, bound, &site] {
      const Socket own(fd);
      answer(fd, site, bound);
      --connections;
    }).detach();
  }
}

}  // namespace aladdin::report
