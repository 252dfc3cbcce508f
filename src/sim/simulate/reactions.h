// Reactions: submits of a recorded history that came soon after an earlier job of the same user had ended, as when a
// user looks at a result and tries the next thing. Under another policy that job ends at another time, and the user
// would have submitted at another time, too. A simulation keeps the recorded times. The number of such submits is the
// caveat of every "if this policy had been in force".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/simulate/job_record.h"

namespace ym::sim {

class Reactions {
 public:
  static constexpr Duration kSoon = minutes(10);     // after the end that they react to
  static constexpr Duration kMatters = minutes(10);  // an end that moves by at most this much would not have moved them

  struct Recorded {
    std::string id, user;
    Instant submitted_at, ended_at;
  };
  // In the order of the submits.
  explicit Reactions(const std::vector<Recorded>& history);

  // Adds an ended job of the simulation, by its id in the history.
  void add(const JobRecord& record);

  std::int64_t all() const { return all_; }
  // Reactions that would have come at another time: their job ended earlier, later, or never.
  std::int64_t moved() const { return all_ - kept_; }

 private:
  struct Cause {
    Instant ended_at;
    std::int64_t reactions = 0;
  };
  std::map<std::string, Cause> causes_;  // by id
  std::int64_t all_ = 0, kept_ = 0;
};

}  // namespace ym::sim
