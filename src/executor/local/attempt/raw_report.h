// RawReport: what user code has said of its progress, as it said it. The supervisor keeps
// and forwards it without reading it; the executor understands it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace ym::local {

// A longer text is cut behind the first byte that is too much, so that whoever reads it sees that it was.
inline constexpr std::size_t kMaxReport = std::size_t{16} << 10;

struct RawReport {
  std::int64_t number = 0;  // counts from 1 within a task
  Instant at;               // when it came
  std::string text;         // one line
  bool operator==(const RawReport&) const = default;
};

// "<number> <ms> <text>"
std::string encode(const RawReport& report);
std::optional<RawReport> parse_raw_report(std::string_view line);

// The same text on one line and no longer than may be: JSON means the same with blanks for
// its line ends.
std::string as_one_line(std::string text);

// What stands in the marker file of a task, whose folder for user code is `user_folder`.
// Never waits, whatever user code has put there; nothing if it is no plain file.
std::optional<std::string> read_marker(int user_folder);

}  // namespace ym::local
