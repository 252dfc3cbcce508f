#include "cli/term/text.h"

#include <utility>

namespace ym::cli {
namespace {

constexpr std::size_t kLongestLine = 64 << 10;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool c1 = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c == '\n' || c == '\t' || c == '\r') out += ' ';
    else if (c < 0x20 || c == 0x7F) out += '?';
    else if (c1) out += '?', ++i;
    else out += text[i];
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text)
    if (!is_continuation(c)) ++width;
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width || width == 0) return std::string(text);
  std::size_t end = 0;
  for (std::size_t taken = 0; end < text.size(); ++end) {
    if (is_continuation(text[end])) continue;
    if (taken == width - 1) break;
    ++taken;
  }
  return std::string(text.substr(0, end)) + "…";
}

void LogCleaner::put(char c, std::string& out) {
  if (std::exchange(return_pending_, false) && c != '\n') {
    if (style_ == Style::live) out += "\r\x1b[K";
    else line_.clear();
  }
  if (style_ == Style::live) {
    out += c;
    return;
  }
  line_ += c;
  if (c == '\n' || line_.size() >= kLongestLine) out += std::exchange(line_, {});
}

void LogCleaner::text_byte(unsigned char c, std::string& out) {
  if (c == 0x1B) state_ = State::escape;
  else if (c == 0xC2) state_ = State::c1;
  else if (c == '\r') return_pending_ = true;
  else if (c >= 0x20 ? c != 0x7F : (c == '\n' || c == '\t')) put(static_cast<char>(c), out);
}

// U+0080 to U+009F are C2 80 to C2 9F. C2 is written only together with its next byte: a C2 that was written alone
// would make a control character of a later 80 to 9F.
void LogCleaner::c1_byte(unsigned char c, std::string& out) {
  state_ = State::text;
  if (c >= 0x80 && c < 0xA0) after_escape(static_cast<unsigned char>(c - 0x40));  // C2 9B is ESC [
  else if (c >= 0xA0 && c < 0xC0) put('\xC2', out), put(static_cast<char>(c), out);
  else text_byte(c, out);
}

void LogCleaner::after_escape(unsigned char c) {
  if (c == '[') state_ = State::control_sequence;
  else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_') state_ = State::string;
  else if (c > 0x2F) state_ = State::text;  // "ESC ( B" has a byte in between
}

void LogCleaner::string_byte(unsigned char c, std::string& out) {
  const bool terminated = c == 0x07 || (state_ == State::string_c1 && c == 0x9C);
  state_ = terminated ? State::text : c == 0xC2 ? State::string_c1 : c == 0x1B ? State::escape : State::string;
  if (c == '\n') state_ = State::text, put('\n', out);  // drops a line at most
}

std::string LogCleaner::feed(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) {
    const auto c = static_cast<unsigned char>(byte);
    const bool breaks_off = c < 0x20 || c >= 0x80;  // bytes outside of an escape
    switch (state_) {
      case State::text: text_byte(c, out); break;
      case State::c1: c1_byte(c, out); break;
      case State::escape:
        if (breaks_off) state_ = State::text, text_byte(c, out);
        else after_escape(c);
        break;
      case State::control_sequence:
        if (breaks_off) state_ = State::text, text_byte(c, out);
        else if (c >= 0x40 && c <= 0x7E) state_ = State::text;
        break;
      case State::string:
      case State::string_c1: string_byte(c, out); break;
    }
  }
  return out;
}

std::string LogCleaner::finish() { return std::exchange(line_, {}); }

}  // namespace ym::cli
