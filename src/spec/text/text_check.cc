#include "spec/text/text_check.h"

#include <array>
#include <cstdint>

#include "spec/text/text_kind.h"
#include "spec/text/value.h"

namespace ym::spec {
namespace {

struct Sequence {
  std::size_t length;
  std::uint32_t smallest;  // code point that needs this length
  std::uint32_t bits;      // of the first byte
};

std::optional<Sequence> sequence(unsigned char first) {
  if (first < 0x80) return Sequence{1, 0, first};
  if ((first & 0xE0) == 0xC0) return Sequence{2, 0x80, first & 0x1Fu};
  if ((first & 0xF0) == 0xE0) return Sequence{3, 0x800, first & 0x0Fu};
  if ((first & 0xF8) == 0xF0) return Sequence{4, 0x10000, first & 0x07u};
  return std::nullopt;
}

// Takes one code point off the front; nothing if there is no valid one.
std::optional<std::uint32_t> take_code_point(std::string_view& text) {
  const auto shape = sequence(static_cast<unsigned char>(text.front()));
  if (!shape || text.size() < shape->length) return std::nullopt;
  std::uint32_t point = shape->bits;
  for (std::size_t i = 1; i < shape->length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return std::nullopt;
    point = (point << 6) | (byte & 0x3Fu);
  }
  if (point < shape->smallest || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return std::nullopt;
  text.remove_prefix(shape->length);
  return point;
}

bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x200E || point == 0x200F || point == 0x2028 ||
         point == 0x2029 || (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
         point == 0xFEFF;
}

// The place where the text stops being UTF-8.
std::optional<std::size_t> first_no_utf8(std::string_view text) {
  for (auto rest = text; !rest.empty();)
    if (!take_code_point(rest)) return text.size() - rest.size();
  return std::nullopt;
}

// A text of one line needs no line number.
Error no_text(std::string_view text, std::size_t at, std::string message) {
  const bool has_lines = text.find('\n') < text.size() - 1;
  if (has_lines) message += " (line " + std::to_string(line_at(text, at)) + ")";
  return {.code = ErrorCode::invalid, .message = std::move(message), .fields = {}};
}

}  // namespace

bool has_control_characters(std::string_view text) {
  while (!text.empty()) {
    const auto point = take_code_point(text);
    if (!point || is_control(*point)) return true;
  }
  return false;
}

std::optional<Error> check_text(std::string_view text) {
  if (text.size() > kMaxTextBytes)
    return Error{.code = ErrorCode::too_large, .message = "the text is longer than 1 MiB (1048576 bytes)"};
  if (const auto kind = binary_kind(text)) return no_text("", 0, "this is " + *kind + ", not YAML or JSON");
  if (const auto at = text.find('\0'); at != std::string_view::npos)
    return no_text(text, at, "the text has a NUL byte; write plain UTF-8 text");
  if (const auto at = first_no_utf8(text)) return no_text(text, *at, "the text is not valid UTF-8");
  return std::nullopt;
}

}  // namespace ym::spec
