#include "spec/text/field.h"

#include <fmt/format.h>

#include <charconv>

#include "base/assert.h"
#include "spec/text/suggest.h"

namespace ym::spec {
namespace {

constexpr std::size_t kMaxProblems = 100;
constexpr std::size_t kMaxName = 63;

bool is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

std::string_view article_and_kind(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::null: return "nothing";
    case Value::Kind::boolean: return "true or false";
    case Value::Kind::number: return "a number";
    case Value::Kind::string: return "text";
    case Value::Kind::list: return "a list";
    case Value::Kind::map: return "a map of keys and values";
  }
  return "";
}

// `yes` is true in YAML 1.1, and a text here.
std::optional<std::string> meant_flag(std::string_view text) {
  const auto word = nearest(text, {"true", "yes", "on", "false", "no", "off"});
  if (!word) return std::nullopt;
  return *word == "true" || *word == "yes" || *word == "on" ? "true" : "false";
}

}  // namespace

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key.substr(0, 64)) {
    if (c == '~') token += "~0";
    else if (c == '/') token += "~1";
    else token += c >= 0x20 && c < 0x7F ? c : '?';
  }
  return token;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "'";
  for (const char c : text.substr(0, kLongest)) {
    if (c >= 0x20 && c < 0x7F) out += c;
    else out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out + (text.size() > kLongest ? "...'" : "'");
}

void Problems::add(std::string pointer, std::string message, int line) {
  if (++total_ > kMaxProblems) return;
  if (line > 0) message += fmt::format(" (line {})", line);
  fields_.push_back({std::move(pointer), std::move(message)});
}

Error Problems::error() const {
  YM_ASSERT(!empty());
  const auto& first = fields_.front();
  std::string message = first.pointer.empty() ? first.message : first.pointer + ": " + first.message;
  if (total_ > 1) message += fmt::format("; and {} more", total_ - 1);
  return {.code = ErrorCode::invalid, .message = std::move(message), .fields = fields_};
}

void Field::wrong(std::string message) const {
  if (value->is_scalar()) message += guess_among_offered(value->text, message);
  problems->add(pointer, std::move(message), value->line);
}

Field Field::child(std::string_view key, const Value& of) const {
  return {&of, pointer + "/" + pointer_token(key), problems};
}

MapReader::MapReader(const Field& field) : field_(field) {
  if (field.value->kind != Value::Kind::map)
    field.wrong(fmt::format("must be a map of keys and values, not {}", article_and_kind(field.value->kind)));
}

std::optional<Field> MapReader::find(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
  const auto& keys = field_.value->keys;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return field_.child(key, field_.value->items[i]);
  return std::nullopt;
}

std::optional<Field> MapReader::require(std::string_view key, std::string_view hint) {
  auto found = find(key);
  if (!found && field_.value->kind == Value::Kind::map)
    field_.problems->add(field_.pointer + "/" + std::string(key), fmt::format("is missing; {}", hint),
                         field_.value->line);
  return found;
}

void MapReader::not_offered_yet(std::string_view key, std::string_view advice) {
  const auto found = find(key);
  std::erase(known_, key);  // never suggested
  later_.emplace_back(key);
  if (found) found->wrong(fmt::format("is not offered yet; {}", advice));
}

void MapReader::finish() const {
  const auto& keys = field_.value->keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (std::ranges::find(known_, keys[i]) != known_.end() || std::ranges::find(later_, keys[i]) != later_.end())
      continue;
    const auto near = nearest(keys[i], known_);
    const auto advice =
        near ? fmt::format("did you mean '{}'?", *near) : fmt::format("known: {}", fmt::join(known_, ", "));
    field_.child(keys[i], field_.value->items[i]).wrong(fmt::format("unknown key {}; {}", quoted(keys[i]), advice));
  }
}

std::optional<std::vector<Field>> read_list(const Field& field, std::string_view what) {
  if (field.value->kind != Value::Kind::list) {
    field.wrong(fmt::format("must be a list of {}, not {}", what, article_and_kind(field.value->kind)));
    return std::nullopt;
  }
  std::vector<Field> items;
  for (std::size_t i = 0; i < field.value->items.size(); ++i)
    items.push_back(field.child(std::to_string(i), field.value->items[i]));
  return items;
}

std::optional<std::vector<std::pair<std::string, Field>>> read_entries(const Field& field) {
  if (field.value->kind != Value::Kind::map) {
    field.wrong(fmt::format("must be a map of keys and values, not {}", article_and_kind(field.value->kind)));
    return std::nullopt;
  }
  std::vector<std::pair<std::string, Field>> entries;
  for (std::size_t i = 0; i < field.value->keys.size(); ++i)
    entries.emplace_back(field.value->keys[i], field.child(field.value->keys[i], field.value->items[i]));
  return entries;
}

std::optional<std::string> read_string(const Field& field) {
  if (field.value->kind == Value::Kind::string) return field.value->text;
  const bool quotable = field.value->kind == Value::Kind::number || field.value->kind == Value::Kind::boolean;
  field.wrong(
      fmt::format("must be text, not {}{}", article_and_kind(field.value->kind), quotable ? "; put it in quotes" : ""));
  return std::nullopt;
}

std::optional<std::string> read_scalar_text(const Field& field) {
  if (field.value->is_scalar() && field.value->kind != Value::Kind::null) return field.value->text;
  field.wrong(fmt::format("must be text or a number, not {}", article_and_kind(field.value->kind)));
  return std::nullopt;
}

std::optional<bool> read_flag(const Field& field) {
  const auto& text = field.value->text;
  if (field.value->kind == Value::Kind::boolean) return text == "true" || text == "True" || text == "TRUE";
  const auto guess = field.value->kind == Value::Kind::string ? meant_flag(text) : std::nullopt;
  field.wrong(guess ? fmt::format("{} is neither true nor false; did you mean {}?", quoted(text), *guess)
                    : fmt::format("must be true or false, not {}", article_and_kind(field.value->kind)));
  return std::nullopt;
}

std::optional<std::int64_t> read_whole_number(const Field& field, std::int64_t min, std::int64_t max) {
  const auto& text = field.value->text;
  const auto wanted = fmt::format("write a whole number from {} to {}", min, max);
  if (field.value->kind != Value::Kind::number) {
    field.wrong(fmt::format("must be a whole number, not {}; {}", article_and_kind(field.value->kind), wanted));
    return std::nullopt;
  }
  const auto digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!whole || (digits.size() > 1 && digits.front() == '0')) {
    field.wrong(
        fmt::format("{} is not {}; {}", text, whole ? "a number without leading zeros" : "a whole number", wanted));
    return std::nullopt;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && number >= min && number <= max) return number;
  field.wrong(fmt::format("{} is out of range; {}", text.substr(0, 40), wanted));
  return std::nullopt;
}

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kMaxName || !is_alphanumeric(text.front())) return false;
  if (text.find("..") != std::string_view::npos) return false;
  return std::ranges::all_of(text, [](char c) { return is_alphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

std::optional<std::string> read_name(const Field& field) {
  const auto text = read_string(field);
  if (!text || is_name(*text)) return text;
  field.wrong(
      fmt::format("{} is not a name; use 1 to 63 letters, digits, '.', '_' or '-', beginning with a letter or "
                  "digit, without '..'",
                  quoted(*text)));
  return std::nullopt;
}

}  // namespace ym::spec
