// ProgressKeeper: which progress reports of user code are retained, and when they may be forwarded. A report is text:
// it is searched for words, not parsed.
//
// It retains the newest report, the newest three with a checkpoint, and the newest that says that the job is completed.
// Times are milliseconds of CLOCK_BOOTTIME.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "executor/local/attempt/raw_report.h"

namespace ym::local {

// `"checkpoint": {` and `"completed": true`, with any blanks between.
bool brings_checkpoint(std::string_view report);
bool says_completed(std::string_view report);
inline bool is_urgent(std::string_view report) { return brings_checkpoint(report) || says_completed(report); }

class ProgressKeeper {
 public:
  static constexpr std::size_t kMostCheckpoints = 3;
  static constexpr std::int64_t kPause = 1000;       // between two plain reports
  static constexpr std::int64_t kUrgentPause = 100;  // after each line, before an urgent report

  // Precondition: one line of at most kMaxReport + 1 bytes.
  void take(std::string text, Instant at);

  // Oldest first; at most five.
  const std::vector<RawReport>& kept() const { return kept_; }
  std::int64_t newest() const { return count_; }  // number of the newest report; 0: none yet

  // Time from which the retained reports may be sent to clients that have not got all of them.
  std::int64_t tell_at() const { return urgent_ ? urgent_at_ : plain_at_; }
  void told(std::int64_t now, std::int64_t lines);

 private:
  std::vector<RawReport> kept_;
  std::int64_t count_ = 0;
  bool urgent_ = false;
  std::int64_t plain_at_ = 0, urgent_at_ = 0;
};

}  // namespace ym::local
