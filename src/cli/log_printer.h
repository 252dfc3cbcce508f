// LogPrinter: writes a job's output to standard output.
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

// A regular expression in RE2's syntax: that of Perl without backreferences and lookaround, which cannot be matched
// in linear time.
class Pattern {
 public:
  // Errors: `invalid` with RE2's message, or because the expression is too large.
  static Result<Pattern> compile(const std::string& expression);
  bool matches(const std::string& line) const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;
};

struct LogStyle {
  bool clean = false;             // remove escapes (on a terminal, without --raw)
  bool live = false;              // show unfinished lines, for following
  std::string prefix{};           // before each line
  std::optional<Pattern> only{};  // shows only lines that match
};

class LogPrinter {
 public:
  LogPrinter(std::ostream& out, LogStyle style);
  void write(std::string_view bytes);
  void finish();  // writes the last line if it has no line break

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
