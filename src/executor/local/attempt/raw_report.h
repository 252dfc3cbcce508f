// RawReport: a progress report as user code wrote it. The supervisor retains and forwards it without parsing it; the
// executor parses it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace ym::local {

// A longer text is cut one byte after the limit, so that its reader sees that it was too long.
inline constexpr std::size_t kMaxReport = std::size_t{16} << 10;

struct RawReport {
  std::int64_t number = 0;  // counts from 1 within a task
  Instant at;               // when it arrived
  std::string text;         // one line
  bool operator==(const RawReport&) const = default;
};

// "<number> <ms> <text>"
std::string encode(const RawReport& report);
std::optional<RawReport> parse_raw_report(std::string_view line);

// The text on one line, cut at the limit. JSON has the same meaning with blanks for line ends.
std::string as_one_line(std::string text);

// The content of a task's marker file in `user_folder`. Never blocks, whatever user code has put there. Empty: it is
// not a plain file.
std::optional<std::string> read_marker(int user_folder);

}  // namespace ym::local
