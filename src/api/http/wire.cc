#include "api/http/wire.h"

#include "base/assert.h"

namespace ym::api {
namespace {

std::string_view phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

void append_date(std::string& out, std::time_t now) {
  constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm utc{};
  gmtime_r(&now, &utc);
  fmt::format_to(std::back_inserter(out), "Date: {}, {:02} {} {} {:02}:{:02}:{:02} GMT\r\n",
                 kDays.at(static_cast<std::size_t>(utc.tm_wday)), utc.tm_mday,
                 kMonths.at(static_cast<std::size_t>(utc.tm_mon)), utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                 utc.tm_sec);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  // A line break in a value would end the head. So values with control characters stay on one line.
  for (const char c : value) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  out += "\r\n";
}

}  // namespace

std::string render_head(const Response& response, const HeadFacts& facts, std::time_t now) {
  std::string out;
  out.reserve(512);
  fmt::format_to(std::back_inserter(out), "HTTP/1.{} {} {}\r\n", facts.http_1_0 ? 0 : 1, response.status,
                 phrase(response.status));
  append_date(out, now);
  const bool has_content = response.status != 204 && response.status != 304;  // those have no content fields
  if (has_content) append_field(out, "Content-Type", response.content_type);
  append_field(out, "Cache-Control", response.cache);
  append_field(out, "X-Content-Type-Options", "nosniff");
  append_field(out, "Content-Security-Policy", response.policy);
  for (const auto& field : response.headers) append_field(out, field.name, field.value);
  if (facts.chunked) out += "Transfer-Encoding: chunked\r\n";
  if (facts.length && has_content) fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", *facts.length);
  if (!facts.keep_alive) out += "Connection: close\r\n";
  else if (facts.http_1_0) out += "Connection: keep-alive\r\n";
  out += "\r\n";
  return out;
}

void make_chunk(std::string& data) {
  YM_ASSERT(!data.empty());
  data.insert(0, fmt::format("{:x}\r\n", data.size()));
  data += "\r\n";
}

}  // namespace ym::api
