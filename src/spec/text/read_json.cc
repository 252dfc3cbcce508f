#include <boost/json/basic_parser_impl.hpp>

#include "spec/text/text_check.h"
#include "spec/text/value.h"
#include "spec/text/value_builder.h"

namespace ym::spec {
namespace {

namespace json = boost::json;

// Boost.JSON's own `value` keeps the last of two equal keys and drops the spelling of numbers. So a handler builds
// the values here.
struct Handler {
  using Code = json::error_code;
  static constexpr std::size_t max_object_size = kMaxValues;
  static constexpr std::size_t max_array_size = kMaxValues;
  static constexpr std::size_t max_key_size = kMaxTextBytes;
  static constexpr std::size_t max_string_size = kMaxTextBytes;

  ValueBuilder builder;
  std::string part;

  void add(Value::Kind kind, std::string_view last) {
    part.append(last);
    builder.scalar(kind, std::exchange(part, {}), 0);
  }

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code&) { return builder.begin(Value::Kind::map, 0), true; }
  bool on_object_end(std::size_t, Code&) { return builder.end(), true; }
  bool on_array_begin(Code&) { return builder.begin(Value::Kind::list, 0), true; }
  bool on_array_end(std::size_t, Code&) { return builder.end(), true; }
  bool on_key_part(json::string_view text, std::size_t, Code&) { return part.append(text), true; }
  bool on_key(json::string_view text, std::size_t, Code&) {
    part.append(text);
    builder.key(std::exchange(part, {}), 0);
    return true;
  }
  bool on_string_part(json::string_view text, std::size_t, Code&) { return part.append(text), true; }
  bool on_string(json::string_view text, std::size_t, Code&) { return add(Value::Kind::string, text), true; }
  bool on_number_part(json::string_view text, Code&) { return part.append(text), true; }
  bool on_int64(std::int64_t, json::string_view text, Code&) { return add(Value::Kind::number, text), true; }
  bool on_uint64(std::uint64_t, json::string_view text, Code&) { return add(Value::Kind::number, text), true; }
  bool on_double(double, json::string_view text, Code&) { return add(Value::Kind::number, text), true; }
  bool on_bool(bool value, Code&) { return add(Value::Kind::boolean, value ? "true" : "false"), true; }
  bool on_null(Code&) { return add(Value::Kind::null, {}), true; }
  bool on_comment_part(json::string_view, Code&) { return true; }
  bool on_comment(json::string_view, Code&) { return true; }
};

Result<Value> parse(std::string_view text) {
  // The builder refuses too deep values with its own message. The parser's limit only must not be lower.
  json::basic_parser<Handler> parser(json::parse_options{.max_depth = kMaxDepth + 1});
  json::error_code error;
  const auto used = parser.write_some(false, text.data(), text.size(), error);
  if (error) return fail(ErrorCode::invalid, "not valid JSON at byte " + std::to_string(used) + ": " + error.message());
  const auto behind = text.find_first_not_of(" \t\r\n", used);
  if (behind != std::string_view::npos && text[behind] == '{')
    return fail(ErrorCode::invalid, "another JSON object at byte " + std::to_string(behind) +
                                        ": this looks like JSON lines; write one object");
  if (behind != std::string_view::npos)
    return fail(ErrorCode::invalid, "unexpected text after the JSON value, at byte " + std::to_string(used));
  return parser.handler().builder.take();
}

}  // namespace

Result<Value> read_json(std::string_view text) {
  if (auto error = check_text(text)) return std::unexpected(std::move(*error));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Value{};
  try {
    return parse(text);
  } catch (const Refused& refused) {
    return refused.pointer.empty() ? fail(ErrorCode::invalid, refused.message)
                                   : fail_field(refused.pointer, refused.message);
  }
}

}  // namespace ym::spec
