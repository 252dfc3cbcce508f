// Who runs in the next round: what a policy is given, and what it answers.
#pragma once

#include <span>
#include <vector>

#include "papers/service/job.h"

namespace ym::sim::fairness {

using service::Count;
using service::Job;
using service::JobNumber;
using service::kSecond;
using service::Micros;
using service::Outcome;
using service::seconds_of;

// A job that has been submitted and has not ended.
struct Present {
  JobNumber job = 0;  // its id
  Count gpus = 1;
  Micros submit_us = 0;
  Micros done_us = 0;       // run time without what restarts cost
  Micros left_us = 1;       // as far as is known; at least 1
  bool guessed = false;     // nobody declared it
  double steps_per_s = 0;   // when it runs; of all its iterations, from which its run time would follow: of no use to
                            // whoever is not told that
  bool ran_before = false;  // in the round that just ended
};

struct Round {
  Micros now_us = 0;
  Micros length_us = 0;
  Count gpus = 0;                 // of the cluster
  Count submitted = 0;            // jobs so far, ended ones too
  std::span<const Present> jobs;  // by number
};

// Places in Round::jobs, each once at most. Gangs are taken whole in that order; what does not fit is passed over.
using Order = std::vector<std::size_t>;

// May remember what it was asked before: one for each run, asked round by round.
class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;
  virtual Order order(const Round& round) = 0;
};

}  // namespace ym::sim::fairness
