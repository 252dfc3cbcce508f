#include "papers/queueing/turns.h"

namespace ym::sim::queueing {
namespace {

// Behind all that have a deadline to make, by run time: that is best for the mean of those to whom it matters.
constexpr Micros kBehindUs = kNever / 2;

template <class KeyOf>
Turns one_turn_each(std::span<const Job> jobs, KeyOf key_of) {
  Turns turns;
  for (JobNumber job = 0; job < jobs.size(); ++job) turns.push_back({{.key = key_of(job)}});
  return turns;
}

// A turn for each step, by `key_of(step, last start)`, until it can be made no more.
template <class KeyOf>
Turns while_reachable(std::span<const Job> jobs, std::span<const Deadlines> deadlines, KeyOf key_of) {
  Turns turns(jobs.size());
  for (JobNumber job = 0; job < jobs.size(); ++job) {
    for (const DeadlineStep& step : deadlines[job].steps) {
      const Micros last_start_us = step.until_us - jobs[job].work_us;
      if (last_start_us >= jobs[job].submit_us)
        turns[job].push_back({.key = key_of(step.until_us, last_start_us), .until_us = last_start_us});
    }
    turns[job].push_back({.key = kBehindUs + jobs[job].work_us});
  }
  return turns;
}

}  // namespace

Turns by_submission(std::span<const Job> jobs) {
  return one_turn_each(jobs, [](JobNumber) { return Micros{0}; });
}

Turns by_run_time(std::span<const Job> jobs) {
  return one_turn_each(jobs, [&](JobNumber job) { return jobs[job].work_us; });
}

Turns by_deadline(std::span<const Job> jobs, std::span<const Deadlines> deadlines) {
  return one_turn_each(jobs, [&](JobNumber job) {
    return deadlines[job].steps.empty() ? kBehindUs + jobs[job].work_us : deadlines[job].steps.front().until_us;
  });
}

Turns by_reachable_deadline(std::span<const Job> jobs, std::span<const Deadlines> deadlines) {
  return while_reachable(jobs, deadlines, [](Micros until_us, Micros) { return until_us; });
}

Turns by_last_start(std::span<const Job> jobs, std::span<const Deadlines> deadlines) {
  return while_reachable(jobs, deadlines, [](Micros, Micros last_start_us) { return last_start_us; });
}

}  // namespace ym::sim::queueing
