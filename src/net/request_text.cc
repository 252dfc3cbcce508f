#include "net/request_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::net {
namespace {

using Fields = std::map<std::string, std::string>;

// Characters that are allowed in names of methods and fields.
bool is_token(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const auto allowed = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || kMarks.contains(c);
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; });
}

bool is_target(std::string_view text) {
  return text.starts_with('/') && std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

// Only request_text sets the length of a message and what happens to the connection.
bool is_framing(std::string_view lower_name) {
  return lower_name == "content-length" || lower_name == "transfer-encoding" || lower_name == "connection" ||
         lower_name == "expect" || lower_name == "upgrade";
}

std::string_view find_bad_field(const Fields& fields) {
  for (const auto& [name, value] : fields)
    if (!is_token(name) || !is_value(value) || is_framing(lower_case(name))) return name;
  return {};
}

bool has_body(const Request& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

Result<std::string> request_text(const Request& request, const Fields& common, std::string_view authority) {
  if (!is_token(request.method)) return fail(ErrorCode::invalid, "'" + request.method + "' is not an HTTP method");
  if (!is_target(request.target))
    return fail(ErrorCode::invalid, "a request's target begins with '/' and has no blanks; percent-encode it");
  Fields fields{{"host", std::string(authority)}, {"user-agent", "ym/" YM_VERSION}};
  for (const auto* some : {&common, &request.headers}) {
    // The message omits the value: it may be a password.
    if (const auto bad = find_bad_field(*some); bad.data() != nullptr)
      return fail(ErrorCode::invalid, fmt::format("the header field '{}' cannot be sent", bad));
    for (const auto& [name, value] : *some) fields[lower_case(name)] = value;
  }
  std::string text = fmt::format("{} {} HTTP/1.1\r\n", request.method, request.target);
  for (const auto& [name, value] : fields) text += name + ": " + value + "\r\n";
  if (has_body(request)) text += fmt::format("content-length: {}\r\n", request.body.size());
  text += "\r\n";
  text += request.body;
  return text;
}

bool may_repeat(const Request& request) {
  const auto& method = request.method;
  return request.repeatable || method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE";
}

}  // namespace ym::net
