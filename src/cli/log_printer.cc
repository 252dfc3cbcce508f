#include "cli/log_printer.h"

#include <fmt/format.h>
#include <regex.h>

#include <utility>

namespace ym::cli {
namespace {

constexpr std::size_t kLongestLine = 64 << 10;

}  // namespace

struct Pattern::Compiled {
  regex_t regex{};
  ~Compiled() { ::regfree(&regex); }
};

Result<Pattern> Pattern::compile(const std::string& expression) {
  auto compiled = std::make_shared<Compiled>();
  if (::regcomp(&compiled->regex, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
    return fail(ErrorCode::invalid, fmt::format("--grep: '{}' is not an extended regular expression", expression));
  Pattern pattern;
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

bool Pattern::matches(const std::string& line) const {
  return ::regexec(&compiled_->regex, line.c_str(), 0, nullptr, 0) == 0;
}

LogPrinter::LogPrinter(std::ostream& out, LogStyle style)
    : out_(out), style_(std::move(style)), by_line_(style_.only.has_value() || !style_.prefix.empty()) {
  if (style_.clean) cleaner_.emplace(style_.live && !by_line_ ? LogCleaner::Style::live : LogCleaner::Style::lines);
}

void LogPrinter::write(std::string_view bytes) {
  const std::string cleaned = cleaner_ ? cleaner_->feed(bytes) : std::string();
  const std::string_view text = cleaner_ ? std::string_view(cleaned) : bytes;
  if (by_line_) lines(text);
  else out_ << text;
  out_ << std::flush;
}

void LogPrinter::lines(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    rest_ += text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (end != std::string_view::npos || rest_.size() > kLongestLine) line(std::exchange(rest_, {}));
  }
}

void LogPrinter::line(const std::string& text) {
  if (!style_.only || style_.only->matches(text)) out_ << style_.prefix << text << '\n';
}

void LogPrinter::finish() {
  const auto left = cleaner_ ? cleaner_->finish() : std::string();
  if (by_line_) {
    lines(left);
    if (!rest_.empty()) line(std::exchange(rest_, {}));
  } else {
    out_ << left;
  }
  out_ << std::flush;
}

}  // namespace ym::cli
