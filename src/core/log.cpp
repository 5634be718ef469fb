#include "aladdin/core/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <vector>

#include "aladdin/core/call.h"
#include "aladdin/core/error.h"
#include "aladdin/core/status.h"

namespace aladdin::log {
namespace {

std::atomic<Level> current_level{Level::normal};

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>(
        "aladdin", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%v");
    made->set_level(spdlog::level::info);
    return made;
  }();
  return *instance;
}

struct Repeated {
  std::string kind, first;
  int more;
};
std::mutex repeated_mutex;
std::vector<Repeated> repeated;

std::mutex status_mutex;
std::string status;  // what the terminal shows at its bottom

bool has_terminal() { return isatty(STDERR_FILENO) != 0 && current_level != Level::quiet; }

// As wide as the terminal at most, so that it stays one line.
std::string fitted(const std::string& line) {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return line.substr(0, known ? size.ws_col - 1U : 79U);
}

void draw_status() {
  fmt::print(stderr, "\r{}\033[K", fitted(status));
  std::fflush(stderr);
}

// Names and numbers in a line may come from a file: none of them may command the terminal.
std::string plain(std::string line) {
  for (char& c : line)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == 127) c = '?';
  return line;
}

// Whether a call has taken the line (call.h).
bool taken(Call::Kind kind, const std::string& line) {
  Call* call = Call::here();
  if (!call) return false;
  const std::string text = plain(line);
  if (call->copy) call->copy(kind, text);
  call->say(kind, text);
  return true;
}

// With the file of one call.
void copy_call_to(Call& call, std::shared_ptr<spdlog::sinks::sink> sink) {
  auto own = std::make_shared<spdlog::logger>("call", std::move(sink));
  own->flush_on(spdlog::level::info);
  call.copy = [own](Call::Kind kind, const std::string& line) {
    if (kind == Call::Kind::detail) return;
    own->info("{}{}",
              kind == Call::Kind::warning ? "warning: "
              : kind == Call::Kind::error ? "error: "
                                          : "",
              line);
  };
}

// Writes a line above the status.
template <class Write>
void above_status(const Write& write) {
  const std::scoped_lock lock(status_mutex);
  if (!status.empty()) fmt::print(stderr, "\r\033[K");
  write();
  if (!status.empty()) draw_status();
}

}  // namespace

void set_status(const std::string& line) {
  if (!has_terminal() || Call::here()) return;
  const std::scoped_lock lock(status_mutex);
  if (line.empty() && status.empty()) return;
  status = line;
  draw_status();
}

void set_level(Level level) {
  current_level = level;
  logger().set_level(level == Level::quiet     ? spdlog::level::warn
                     : level == Level::verbose ? spdlog::level::debug
                                               : spdlog::level::info);
}

void copy_to(const std::filesystem::path& file) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
    sink->set_pattern("%Y-%m-%d %H:%M:%S  %v");
    if (Call* call = Call::here()) return copy_call_to(*call, std::move(sink));
    logger().sinks().push_back(std::move(sink));
    logger().flush_on(spdlog::level::info);
  } catch (const spdlog::spdlog_ex& error) {
    fail("'{}' cannot be written: {}", file.string(), error.what());
  }
}

Level level() { return current_level; }

void write_info(const std::string& line) {
  if (taken(Call::Kind::info, line)) return;
  above_status([&] { logger().info("{}", plain(line)); });
}
void write_warning(const std::string& line) {
  if (taken(Call::Kind::warning, line)) return;
  above_status([&] { logger().warn("warning: {}", plain(line)); });
}
void write_error(const std::string& line) {
  if (taken(Call::Kind::error, line)) return;
  above_status([&] { logger().error("error: {}", plain(line)); });
}
void write_detail(const std::string& line) {
  if (taken(Call::Kind::detail, line)) return;
  above_status([&] { logger().debug("{}", plain(line)); });
}

void warn_again(const std::string& kind, const std::string& line) {
  {
    const std::scoped_lock lock(repeated_mutex);
    for (auto& one : repeated)
      if (one.kind == kind) return void(++one.more);
    repeated.push_back({kind, line, 0});
  }
  write_warning(line);
}
void tell_repeated() {
  const std::scoped_lock lock(repeated_mutex);
  for (const auto& one : repeated)
    if (one.more > 0)
      write_warning(fmt::format(
          "{} more: {}", one.more == 1 ? "once" : fmt::format("{} times", one.more), one.first));
  repeated.clear();
}

}  // namespace aladdin::log
