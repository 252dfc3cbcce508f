// WaitingWatch: checks that each waiting job has a reason, and that everything ends. P10.
#pragma once

#include <map>

#include "fault_injection/findings.h"
#include "model/tables.h"

namespace ym::sim {

class WaitingWatch {
 public:
  explicit WaitingWatch(Findings& findings) : findings_(findings) {}

  // Checks the state of the present server.
  void look(const Tables& tables, Instant now);
  // Call it when nothing happens any more.
  void at_rest(const Tables& tables);

 private:
  Findings& findings_;
  std::map<JobId, Instant> silent_since_;
};

}  // namespace ym::sim
