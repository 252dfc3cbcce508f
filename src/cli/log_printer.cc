#include "cli/log_printer.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <utility>

namespace ym::cli {
namespace {

constexpr std::size_t kLongestShownLine = 64 << 10;
constexpr std::int64_t kMostBytes = 8 << 20;  // bytes of a compiled expression

}  // namespace

Result<Pattern> Pattern::compile(const std::string& expression) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(kMostBytes);
  auto compiled = std::make_shared<re2::RE2>(expression, options);
  if (!compiled->ok())
    return fail(ErrorCode::invalid,
                fmt::format("--grep: '{}' is not a regular expression: {}", expression, compiled->error()));
  Pattern pattern;
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

bool Pattern::matches(const std::string& line) const { return re2::RE2::PartialMatch(line, *compiled_); }

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
    if (end != std::string_view::npos || rest_.size() > kLongestShownLine) line(std::exchange(rest_, {}));
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
