// EventWatch: checks commits, event by event. P8, P9 (no start after a cancel), P13 (continues later, the nominated
// placement, no second stop for jobs that had arrived before).
#pragma once

#include <map>
#include <set>

#include "control/controller.h"
#include "fault_injection/findings.h"

namespace ym::sim {

class EventWatch {
 public:
  explicit EventWatch(Findings& findings) : findings_(findings) {}

  // `tables`: after these events.
  void committed(const std::vector<Event>& events, const Tables& tables);

 private:
  void follow(const Event& event, const Tables& tables);
  void stopping(const AttemptStopping& stop, const Event& event, const Tables& tables);
  void admitted(const Attempt& attempt, const Event& event, const Tables& tables);

  Findings& findings_;
  std::set<JobId> finished_, cancelled_;
  std::set<JobId> preempted_;            // their next step is still open
  std::map<AttemptKey, Instant> stops_;  // preemptions
};

}  // namespace ym::sim
