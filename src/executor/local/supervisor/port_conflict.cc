#include "executor/local/supervisor/port_conflict.h"

#include <algorithm>
#include <cctype>

namespace ym::local {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool names_number(std::string_view line, std::string_view number) {
  for (auto at = line.find(number); at != std::string_view::npos; at = line.find(number, at + 1)) {
    const auto end = at + number.size();
    const bool whole = (at == 0 || !is_digit(line[at - 1])) && (end == line.size() || !is_digit(line[end]));
    if (whole) return true;
  }
  return false;
}

}  // namespace

bool says_port_is_taken(std::string_view log_tail, std::int64_t port) {
  const auto number = std::to_string(port);
  while (!log_tail.empty()) {
    const auto line = log_tail.substr(0, log_tail.find('\n'));
    log_tail.remove_prefix(std::min(line.size() + 1, log_tail.size()));
    const bool in_use = line.find("Address already in use") != std::string_view::npos ||
                        line.find("EADDRINUSE") != std::string_view::npos;
    if (in_use && names_number(line, number)) return true;
  }
  return false;
}

}  // namespace ym::local
