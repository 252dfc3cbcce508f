#include "net/sinks/syslog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <span>

namespace ym::net {
namespace {

constexpr int kLogAudit = 13, kInformational = 6;
constexpr std::string_view kProgram = "yardmaster";
constexpr std::size_t kMostHost = 255;

// Of a name in the head: printable ASCII without blanks.
std::string head_word(std::string_view text, std::size_t most) {
  std::string word(text.substr(0, most));
  for (char& c : word)
    if (c <= ' ' || c >= '\x7f') c = '?';
  return word.empty() ? "-" : word;
}

// The end of the last character that is whole within `most` bytes.
std::string_view cut_between_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U; };
  while (most > 0 && continues(most)) --most;
  return text.substr(0, most);
}

}  // namespace

std::string syslog_frame(const SyslogMessage& message) {
  std::string line = fmt::format("<{}>1 {} {} {} - {} - ", kLogAudit * 8 + kInformational, head_word(message.time, 32),
                                 head_word(message.host, kMostHost), kProgram, head_word(message.kind, 32));
  const auto head = line.size();
  line += cut_between_characters(message.text, kMostSyslogBytes - head);
  for (char& c : std::span(line).subspan(head))
    if ((c >= 0 && c < ' ') || c == '\x7f') c = '?';
  return fmt::format("{} {}", line.size(), line);
}

std::string syslog_host() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "-";
  return head_word(name.data(), kMostHost);
}

}  // namespace ym::net
