#include "aladdin/core/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>

#include "aladdin/core/error.h"

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

}  // namespace

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
    logger().sinks().push_back(std::move(sink));
    logger().flush_on(spdlog::level::info);
  } catch (const spdlog::spdlog_ex& error) {
    fail("'{}' cannot be written: {}", file.string(), error.what());
  }
}

Level level() { return current_level; }

void write_info(const std::string& line) { logger().info("{}", line); }
void write_warning(const std::string& line) { logger().warn("warning: {}", line); }
void write_error(const std::string& line) { logger().error("error: {}", line); }
void write_detail(const std::string& line) { logger().debug("{}", line); }

}  // namespace aladdin::log
