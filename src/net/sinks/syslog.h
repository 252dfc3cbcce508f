// Messages of syslog: RFC 5424, framed by octet counting (RFC 6587, and RFC 5425 over TLS).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ym::net {

// Most bytes of a message: rsyslog by default takes no longer ones.
inline constexpr std::size_t kMostSyslogBytes = 8000;

struct SyslogMessage {
  std::string_view time;  // RFC 3339 with at most six digits behind the second
  std::string_view host;
  std::string_view kind;  // MSGID: "audit", "head"
  std::string_view text;  // UTF-8
};

// "LENGTH MESSAGE". Facility: log audit; severity: informational. The text stands without a byte order mark, since
// receivers would take it for a part of the text. Control characters become '?'; what is too long is cut between two
// characters.
std::string syslog_frame(const SyslogMessage& message);

// This machine's name; "-": it has none.
std::string syslog_host();

}  // namespace ym::net
