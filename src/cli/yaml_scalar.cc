#include "cli/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <cmath>

namespace ym::cli {
namespace {

namespace json = boost::json;

// UTF-8 characters that JSON does not escape, and that YAML refuses or reads as a line break.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kEscaped{{{"\x7F", "\\x7F"},
                                                                                 {"\xE2\x80\xA8", "\\u2028"},
                                                                                 {"\xE2\x80\xA9", "\\u2029"},
                                                                                 {"\xEF\xBB\xBF", "\\uFEFF"},
                                                                                 {"\xEF\xBF\xBE", "\\uFFFE"},
                                                                                 {"\xEF\xBF\xBF", "\\uFFFF"}}};

// U+0080 to U+009F.
bool is_control(std::string_view rest) {
  return rest.size() > 1 && rest[0] == '\xC2' && static_cast<unsigned char>(rest[1]) < 0xA0;
}

std::string quoted(std::string_view text) {
  const auto in_json = json::serialize(json::string_view(text));
  std::string out;
  for (std::string_view rest = in_json; !rest.empty();) {
    const auto found = std::ranges::find_if(kEscaped, [&](const auto& one) { return rest.starts_with(one.first); });
    if (found != kEscaped.end()) {
      out += found->second;
      rest.remove_prefix(found->first.size());
    } else if (is_control(rest)) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(rest[1]));
      rest.remove_prefix(2);
    } else {
      out += rest.front();
      rest.remove_prefix(1);
    }
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  auto text = fmt::format("{}", value);
  const auto exponent = std::min(text.find('e'), text.size());
  if (!text.contains('.')) text.insert(exponent, ".0");
  return text;
}

}  // namespace

std::string yaml_scalar(const json::value& value) {
  if (const auto* text = value.if_string()) return quoted({text->data(), text->size()});
  if (const auto* real = value.if_double()) return number(*real);
  return json::serialize(value);
}

std::string yaml_key(std::string_view key) {
  // Words that YAML 1.1 or 1.2 reads as a boolean or as null.
  constexpr std::array<std::string_view, 9> kMeaning{"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
  const bool plain = !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
  return plain && std::ranges::find(kMeaning, key) == kMeaning.end() ? std::string(key) : quoted(key);
}

}  // namespace ym::cli
