// Properties of standard output and standard error, and a status line that is redrawn.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

namespace ym::cli {

using EnvironmentReader = std::function<std::optional<std::string>(const std::string&)>;

struct Terminal {
  bool out = false;       // standard output is a terminal
  bool err = false;       // standard error is a terminal
  std::size_t width = 0;  // columns of standard output; 0: unknown, or no terminal
};

Terminal detect_terminal();

// One line of progress on standard error. Writes nothing if that is not a terminal.
class StatusLine {
 public:
  StatusLine(std::ostream& err, const Terminal& terminal) : err_(err), active_(terminal.err), width_(terminal.width) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool active() const { return active_; }
  void show(const std::string& text);
  void clear();

 private:
  std::ostream& err_;
  bool active_;
  std::size_t width_;
  bool shown_ = false;
  std::size_t frame_ = 0;
};

}  // namespace ym::cli
