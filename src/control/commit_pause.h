// CommitPause: how long control tries nothing after failed commits.
//
// A full disk stays full for a while. Immediate retries would only reload the tables and fill the log. One thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace ym {

class CommitPause {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kFirst{200};
  static constexpr std::chrono::milliseconds kLongest{5000};

  // The pause doubles with each failure in a row.
  void failed(Time now);
  // Returns how many commits had failed in a row.
  std::int64_t stored();

  bool on(Time now) const { return now < until_; }
  Time until() const { return until_; }
  std::int64_t failures() const { return failures_; }  // in a row
  // Whether to log this failure: the first one, and then each time their number has doubled.
  bool should_log() const { return (failures_ & (failures_ - 1)) == 0; }

 private:
  std::int64_t failures_ = 0;
  Time until_;
};

}  // namespace ym
