// Writes documents as text.
#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>

#include "spec/convert/convert.h"

namespace ym {
namespace {

using spec::Value;
namespace json = boost::json;

constexpr std::size_t kLineLength = 96;

// Words that some reader of YAML takes for a number, a date, a boolean or null.
bool looks_like_more(const std::string& text) {
  constexpr std::array<std::string_view, 12> kWords{"true", "false", "yes", "no", "on",   "off",
                                                    "null", "~",     "y",   "n",  ".inf", ".nan"};
  std::string lower = text;
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (text.empty() || std::ranges::find(kWords, lower) != kWords.end()) return true;
  return std::string_view("0123456789+-.").contains(text.front()) &&
         lower.find_first_not_of("0123456789abcdefxo_.:+-tz") == lower.npos &&
         lower.find_first_of("0123456789") != lower.npos;
}

// A block (|) keeps exactly one line break at its end. Its first line sets the indentation.
bool fits_block(const std::string& text) {
  if (!text.ends_with('\n') || text.ends_with("\n\n") || text.size() < 2) return false;
  if (text.front() == ' ' || text.front() == '\n') return false;
  return std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= 0x20 && c != 0x7F) || (c & 0x80) != 0; });
}

void write_scalar(YAML::Emitter& out, const Value& value) {
  if (value.kind == Value::Kind::number) out << value.text;
  else if (fits_block(value.text)) out << YAML::Literal << value.text;
  else if (looks_like_more(value.text)) out << YAML::DoubleQuoted << value.text;
  else out << value.text;
}

// The length on one line. Nothing: it exceeds the limit.
std::size_t length(const Value& value) {
  std::size_t sum = value.text.size() + 4;
  if (value.is_scalar()) return value.text.contains('\n') ? kLineLength + 1 : sum;
  for (const auto& key : value.keys) sum += key.size() + 2;
  for (const auto& item : value.items) sum += length(item);
  return sum;
}

void write(YAML::Emitter& out, const Value& value, bool flow);

void write_map(YAML::Emitter& out, const Value& value, bool flow) {
  out << (flow ? YAML::Flow : YAML::Block) << YAML::BeginMap;
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    out << YAML::Key;
    write_scalar(out, {.kind = Value::Kind::string, .text = value.keys[i]});
    out << YAML::Value;
    const auto& item = value.items[i];
    write(out, item, flow || length(item) + value.keys[i].size() <= kLineLength);
  }
  out << YAML::EndMap;
}

void write(YAML::Emitter& out, const Value& value, bool flow) {
  if (value.is_scalar()) return write_scalar(out, value);
  if (value.kind == Value::Kind::map) return write_map(out, value, flow);
  out << (flow ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
  for (const auto& item : value.items) write(out, item, flow || length(item) <= kLineLength);
  out << YAML::EndSeq;
}

json::value json_of(const Value& value) {
  if (value.kind == Value::Kind::map) {
    json::object object;
    for (std::size_t i = 0; i < value.keys.size(); ++i) object[value.keys[i]] = json_of(value.items[i]);
    return object;
  }
  if (value.kind == Value::Kind::list) {
    json::array array;
    for (const auto& item : value.items) array.push_back(json_of(item));
    return array;
  }
  std::int64_t number = 0;
  if (value.kind == Value::Kind::number) {
    std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
    return number;
  }
  return json::string(value.text);
}

}  // namespace

std::string to_yaml(const std::vector<Value>& jobs) {
  std::string text;
  for (const auto& job : jobs) {
    YAML::Emitter out;
    write(out, job, false);
    text += (text.empty() ? "" : "---\n") + std::string(out.c_str());
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

std::string to_json(const std::vector<Value>& jobs) {
  json::array array;
  for (const auto& job : jobs) array.push_back(json_of(job));
  return json::serialize(array);
}

}  // namespace ym
