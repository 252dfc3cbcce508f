// Addresses of places that take records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/url.h"

namespace ym::net {

struct SinkAddress {
  enum class Kind : std::uint8_t { file, syslog, http };
  Kind kind = Kind::file;
  // "PATH", "syslog://HOST:PORT" (in clear), "syslog+tls://HOST:PORT", "https://HOST[:PORT]/TARGET"
  std::string text;
  Address server{};      // of syslog
  std::string base{};    // of http: "https://HOST[:PORT]"
  std::string target{};  // of http: path and query
  bool operator==(const SinkAddress&) const = default;

  // For logs: without the query, which may have secrets.
  std::string shown() const { return text.substr(0, text.find('?')); }
};

// Plain http is for this machine only. Errors: `invalid`: another scheme, no port of a syslog server, a user or
// password in it (the message does not repeat them).
Result<SinkAddress> parse_sink(std::string_view text);

}  // namespace ym::net
