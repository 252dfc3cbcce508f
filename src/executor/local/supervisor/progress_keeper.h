// ProgressKeeper: what of all that user code says of its progress is worth keeping, and when
// it may be forwarded. A report is text: it is looked at, not read.
//
// Kept: the newest, the newest three that bring a checkpoint, the newest that says that all is
// done. Times are milliseconds of CLOCK_BOOTTIME.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "executor/local/attempt/raw_report.h"

namespace ym::local {

// `"checkpoint": {`, and `"completed": true`, with any blanks between.
bool brings_checkpoint(std::string_view report);
bool says_completed(std::string_view report);
inline bool is_urgent(std::string_view report) { return brings_checkpoint(report) || says_completed(report); }

class ProgressKeeper {
 public:
  static constexpr std::size_t kMostCheckpoints = 3;
  static constexpr std::int64_t kPause = 1000;       // between two that only say how far it is
  static constexpr std::int64_t kUrgentPause = 100;  // after each line, before what must not wait

  // Precondition: one line of at most kMaxReport + 1 bytes.
  void take(std::string text, Instant at);

  // Oldest first; at most five.
  const std::vector<RawReport>& kept() const { return kept_; }
  std::int64_t newest() const { return count_; }  // its number; 0: none yet

  // From when on what is kept may be told to those who have not heard all of it.
  std::int64_t tell_at() const { return urgent_ ? urgent_at_ : plain_at_; }
  void told(std::int64_t now, std::int64_t lines);

 private:
  std::vector<RawReport> kept_;
  std::int64_t count_ = 0;
  bool urgent_ = false;
  std::int64_t plain_at_ = 0, urgent_at_ = 0;
};

}  // namespace ym::local
