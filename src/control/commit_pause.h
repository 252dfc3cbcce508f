// CommitPause: how long nothing is tried after commits that failed.
//
// A full disk stays full for a while: trying at once, again and again, would reload the
// tables and fill the log for nothing. One thread.
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
  // Returns how many had failed before.
  std::int64_t stored();

  bool on(Time now) const { return now < until_; }
  Time until() const { return until_; }
  std::int64_t failures() const { return failures_; }  // in a row
  // The first failure is worth a line in the log, then every doubling of their number.
  bool worth_saying() const { return (failures_ & (failures_ - 1)) == 0; }

 private:
  std::int64_t failures_ = 0;
  Time until_;
};

}  // namespace ym
