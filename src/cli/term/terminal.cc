#include "cli/term/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>

#include "cli/term/text.h"

namespace ym::cli {

Terminal detect_terminal() {
  Terminal terminal{.out = ::isatty(STDOUT_FILENO) == 1, .err = ::isatty(STDERR_FILENO) == 1};
  winsize size{};
  if (terminal.out && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) terminal.width = size.ws_col;
  return terminal;
}

void StatusLine::show(const std::string& text) {
  constexpr std::array<std::string_view, 4> kFrames{"|", "/", "-", "\\"};
  if (!active_) return;
  const std::string line = std::string(kFrames.at(frame_++ % kFrames.size())) + " " + printable(text);
  err_ << "\r\x1b[K" << shortened(line, width_ > 1 ? width_ - 1 : 79) << std::flush;
  shown_ = true;
}

void StatusLine::clear() {
  if (shown_) err_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace ym::cli
