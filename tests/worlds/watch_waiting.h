// WaitingWatch: that whoever waits is told why, and that all comes to an end. P10.
#pragma once

#include <map>

#include "model/tables.h"
#include "worlds/findings.h"

namespace ym::sim {

class WaitingWatch {
 public:
  explicit WaitingWatch(Findings& findings) : findings_(findings) {}

  // Of the server that is there.
  void look(const Tables& tables, Instant now);
  // When nothing happens any more.
  void at_rest(const Tables& tables);

 private:
  Findings& findings_;
  std::map<JobId, Instant> silent_since_;
};

}  // namespace ym::sim
