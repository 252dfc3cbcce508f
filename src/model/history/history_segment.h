// HistorySegment: a file with the oldest events, which are in the database no more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"

namespace ym {

// Its row takes the chain of seals over the gap: what follows is checked from here on.
struct HistorySegment {
  static constexpr std::string_view kTable = "history_segments", kRow = "history_segment";
  static constexpr bool kConcernsEngine = false;
  std::string name;                // of the file, without its folder; names sort as their events
  std::uint64_t from = 0, to = 0;  // events
  std::string chain;               // of the seal that ends with `to`
  std::uint64_t seal = 0;          // the seal's own event, which comes after `to`
  std::int64_t jobs = 0;           // that ended in it
  std::int64_t bytes = 0;
  std::string sha256;  // of the file, in lower-case hex
  Instant first_at, last_at;
  bool operator==(const HistorySegment&) const = default;
};

}  // namespace ym
