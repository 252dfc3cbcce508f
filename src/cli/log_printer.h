// LogPrinter: a job's output on its way to standard output.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/term/text.h"

namespace re2 {
class RE2;
}

namespace ym::cli {

// A regular expression in RE2's syntax, which is Perl's without what cannot be matched in linear time (backreferences,
// lookaround).
class Pattern {
 public:
  // Errors: `invalid`: what RE2 says of it, or that it is too large.
  static Result<Pattern> compile(const std::string& expression);
  bool matches(const std::string& line) const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;
};

struct LogStyle {
  bool clean = false;             // take escapes out (a terminal is attached, and --raw was not given)
  bool live = false;              // show unfinished lines, as when following
  std::string prefix{};           // before each line
  std::optional<Pattern> only{};  // lines that match
};

class LogPrinter {
 public:
  LogPrinter(std::ostream& out, LogStyle style);
  void write(std::string_view bytes);
  void finish();  // the last line, if it had no end

 private:
  void lines(std::string_view text);
  void line(const std::string& text);

  std::ostream& out_;
  LogStyle style_;
  bool by_line_;
  std::optional<LogCleaner> cleaner_;
  std::string rest_;
};

}  // namespace ym::cli
