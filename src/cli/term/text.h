// Text for terminals: what came from users and jobs is made harmless before it is shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ym::cli {

// For one cell or line: control characters and escapes become '?', line breaks spaces.
std::string printable(std::string_view text);

// Columns that the text takes, one for each code point (wide characters count as one).
std::size_t display_width(std::string_view text);

// Cut to `width` columns, the last one an ellipsis where something is missing.
std::string shortened(std::string_view text, std::size_t width);

// Takes terminal escapes and other control characters out of a stream that comes in
// pieces; line feeds and tabs stay. `\r` redraws: in `live` style the line is cleared
// on the terminal, in `lines` style only the latest frame of a line is given.
class LogCleaner {
 public:
  enum class Style : std::uint8_t { live, lines };
  explicit LogCleaner(Style style) : style_(style) {}

  std::string feed(std::string_view bytes);
  std::string finish();  // what is left of an unfinished line

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
  std::string line_;  // style lines: the frame so far
};

}  // namespace ym::cli
