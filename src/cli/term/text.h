// Text for terminals. Makes text of users and jobs harmless before it is shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ym::cli {

// For a cell or a line: control characters and escapes become '?', line breaks become spaces.
std::string printable(std::string_view text);

// Columns of the text. Each code point counts as one, a wide character too.
std::size_t display_width(std::string_view text);

// Cuts to `width` columns. The last column becomes an ellipsis if text was cut.
std::string shortened(std::string_view text, std::size_t width);

// Removes terminal escapes and other control characters from a stream that arrives in pieces. Keeps line feeds and
// tabs. After `\r`, style `live` clears the line on the terminal; style `lines` writes only the last frame of the
// line.
class LogCleaner {
 public:
  enum class Style : std::uint8_t { live, lines };
  explicit LogCleaner(Style style) : style_(style) {}

  std::string feed(std::string_view bytes);
  std::string finish();  // the rest of an unfinished line

 private:
  enum class State : std::uint8_t { text, c1, escape, control_sequence, string, string_c1 };
  void text_byte(unsigned char c, std::string& out);
  void c1_byte(unsigned char c, std::string& out);
  void string_byte(unsigned char c, std::string& out);
  void after_escape(unsigned char c);
  void put(char c, std::string& out);

  Style style_;
  State state_ = State::text;
  bool return_pending_ = false;
  std::string line_;  // style `lines`: the present frame
};

}  // namespace ym::cli
