// Reactions: submissions of a recorded history that came soon after an earlier job of the same user had ended, as those
// of people do who look at a result and try the next. Under another policy that job ends at another time, and they
// would have come at another time too; a simulation has them come when they came. How many that concerns is the caveat
// of every "had this policy been in force".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/simulate/job_record.h"

namespace ym::sim {

class Reactions {
 public:
  static constexpr Duration kSoon = minutes(10);     // after the end that set them off
  static constexpr Duration kMatters = minutes(10);  // by so much another end would have moved them

  struct Recorded {
    std::string id, user;
    Instant submitted_at, ended_at;
  };
  // In the order of submission.
  explicit Reactions(const std::vector<Recorded>& history);

  // A job of the simulation that has ended, by its id in the history.
  void add(const JobRecord& record);

  std::int64_t all() const { return all_; }
  // Those that would have come at another time: what set them off ended earlier, later, or never.
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
