// For tests: log lines.
#pragma once

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>

namespace ym::local {

// Lines that are logged while it lives. Read it when no thread logs any more.
class LoggedLines {
 public:
  LoggedLines() : before_(spdlog::default_logger()) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    auto logger = std::make_shared<spdlog::logger>("test", sink);
    logger->set_pattern("%l: %v");
    spdlog::set_default_logger(logger);
  }
  ~LoggedLines() { spdlog::set_default_logger(before_); }
  LoggedLines(const LoggedLines&) = delete;
  LoggedLines& operator=(const LoggedLines&) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

}  // namespace ym::local
