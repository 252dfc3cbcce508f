#include "api/cursor.h"

#include "api/digest.h"

namespace ym::api {
namespace {

constexpr std::size_t kCheckDigits = 16;
constexpr std::size_t kMaxCursor = 1024;

std::string check(std::string_view position, std::string_view scope) {
  std::string text = "ym-cursor-1";
  for (const auto part : {position, scope}) {
    text += '\0';
    text.append(part);
  }
  return sha256_hex(text).substr(0, kCheckDigits);
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  return std::nullopt;
}

}  // namespace

std::string make_cursor(std::string_view position, std::string_view scope) {
  std::string cursor = check(position, scope);
  for (const char c : position) {
    fmt::format_to(std::back_inserter(cursor), "{:02x}", static_cast<unsigned char>(c));
  }
  return cursor;
}

std::optional<std::string> read_cursor(std::string_view cursor, std::string_view scope) {
  if (cursor.size() <= kCheckDigits || cursor.size() > kMaxCursor || cursor.size() % 2 != 0) return std::nullopt;
  std::string position;
  for (std::size_t i = kCheckDigits; i < cursor.size(); i += 2) {
    const auto high = hex_digit(cursor[i]);
    const auto low = hex_digit(cursor[i + 1]);
    if (!high || !low) return std::nullopt;
    position += static_cast<char>(*high * 16 + *low);
  }
  if (check(position, scope) != cursor.substr(0, kCheckDigits)) return std::nullopt;
  return position;
}

}  // namespace ym::api
