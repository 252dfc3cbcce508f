#include "logging.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace ym {
namespace {

constexpr std::string_view kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %*";
constexpr std::string_view kJsonPattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":"%*"})";

// A message may quote names, paths and texts of clients. They must not begin a line of their own, and must not
// control the terminal. The escapes are those of JSON.
class Escaped final : public spdlog::custom_flag_formatter {
 public:
  explicit Escaped(bool quotes) : quotes_(quotes) {}

  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    for (const char c : message.payload) {
      const auto byte = static_cast<unsigned char>(c);
      const bool special = quotes_ && (c == '"' || c == '\\');
      if (c == '\n') append("\\n", out);
      else if (byte < 0x20 || byte == 0x7f) append(fmt::format("\\u{:04x}", byte), out);
      else if (special) append(fmt::format("\\{}", c), out);
      else out.push_back(c);
    }
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<Escaped>(quotes_); }

 private:
  static void append(std::string_view text, spdlog::memory_buf_t& out) {
    out.append(text.data(), text.data() + text.size());
  }
  bool quotes_;
};

}  // namespace

void set_up_logging(const std::string& level, std::string_view format) {
  const bool json = format == "json";
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  formatter->add_flag<Escaped>('*', json);
  formatter->set_pattern(std::string(json ? kJsonPattern : kTextPattern));
  auto logger = spdlog::stderr_logger_mt("ym");
  logger->set_formatter(std::move(formatter));
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace ym
