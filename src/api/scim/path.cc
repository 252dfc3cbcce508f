#include "api/scim/path.h"

#include <algorithm>
#include <array>

#include "api/http/text.h"
#include "spec/text/value.h"

namespace ym::api::scim {
namespace {

constexpr std::size_t kLongestPath = 1'000;
constexpr std::string_view kExtension = "urn:";
// Of these schemas an attribute may be named in full.
constexpr std::array<std::string_view, 2> kOwnSchemas{"urn:ietf:params:scim:schemas:core:2.0:User:",
                                                      "urn:ietf:params:scim:schemas:core:2.0:Group:"};

bool begins_ignoring_case(std::string_view text, std::string_view begin) {
  return equal_ignoring_case(text.substr(0, begin.size()), begin);
}

std::string_view without_own_schema(std::string_view name) {
  for (const auto schema : kOwnSchemas)
    if (begins_ignoring_case(name, schema)) return name.substr(schema.size());
  return name;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

bool is_attribute_name(std::string_view name) {
  const auto is_letter = [](char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '$'; };
  const auto may_follow = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, may_follow);
}

struct Comparison {
  Filter filter;
  bool is_text = false;
};

std::optional<Comparison> read_comparison(std::string_view text) {
  std::string_view rest = trim(text);
  const auto name = without_own_schema(take_until(rest, ' '));
  rest = trim(rest);
  const auto operation = take_until(rest, ' ');
  if (!is_attribute_name(name) || !equal_ignoring_case(operation, "eq")) return std::nullopt;
  const auto value = spec::read_json(trim(rest));
  if (!value) return std::nullopt;
  const bool is_text = value->kind == spec::Value::Kind::string;
  if (!is_text && value->kind != spec::Value::Kind::boolean) return std::nullopt;
  return Comparison{.filter = {.attribute = lowered(name), .value = value->text}, .is_text = is_text};
}

// The bracket that closes the first one. A text in quotes may have brackets.
std::size_t closing_bracket(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') ++i;
    else if (text[i] == '"') quoted = !quoted;
    else if (text[i] == ']' && !quoted) return i;
  }
  return std::string_view::npos;
}

}  // namespace

Read<Filter> parse_filter(std::string_view text) {
  auto read = text.size() <= kLongestPath ? read_comparison(text) : std::nullopt;
  if (!read || !read->is_text)
    return invalid_filter("a filter here is one comparison with a text, for example: userName eq \"ann\"");
  return std::move(read->filter);
}

Read<Path> parse_path(std::string_view text) {
  if (text.size() > kLongestPath) return invalid_path("the path is too long");
  text = without_own_schema(text);
  if (begins_ignoring_case(text, kExtension)) return Path{.attribute = {}};
  const auto end = std::min(text.find_first_of("[."), text.size());
  if (!is_attribute_name(text.substr(0, end))) return invalid_path("the path names no attribute");
  Path path{.attribute = lowered(text.substr(0, end))};
  text.remove_prefix(end);
  if (text.starts_with('[')) {
    const auto close = closing_bracket(text);
    if (close == std::string_view::npos) return invalid_path("a bracket of the path is not closed");
    auto read = read_comparison(text.substr(1, close - 1));
    if (!read) return invalid_filter("a filter in a path is one comparison, for example: members[value eq \"7\"]");
    path.filter = std::move(read->filter);
    text.remove_prefix(close + 1);
  }
  if (text.empty()) return path;
  if (!text.starts_with('.') || !is_attribute_name(text.substr(1)))
    return invalid_path("after the attribute comes at most one more, for example: name.givenName");
  path.sub = lowered(text.substr(1));
  return path;
}

}  // namespace ym::api::scim
