// Tables: the present state, and the fold of events over it.
//
// This is the only place where a row changes. The server's state, the store's
// tests, the engine's boot and the simulator use the same fold, so that "load the
// tables" and "replay the events" cannot come apart.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "model/event.h"
#include "model/usage.h"

namespace ym {

// Jobs that have ended may be dropped from memory (`forget`); the store keeps them.
struct Tables {
  std::map<JobId, Job> jobs;
  std::map<AttemptKey, Attempt> attempts;
  std::map<std::string, Cluster> clusters;
  std::map<std::string, Node> nodes;
  std::map<std::string, Flavor> flavors;
  std::map<std::string, Queue> queues;
  std::map<std::string, AdvanceReservation> reservations;
  std::map<std::string, PolicyRow> policies;
  UsageRows usage;
  SpendingRows spending;
  std::uint64_t last_seq = 0;  // of the last event folded in
  std::uint64_t last_id = 0;   // highest job, group or spec id in use
  std::uint64_t epoch = 0;     // of the last server that took over
  Instant last_time;           // of the last event

  bool operator==(const Tables&) const = default;

  // The attempt that holds devices for this job, if there is one.
  const Attempt* live_attempt(JobId job) const;
};

// Rows that a fold has changed: what a store has to write.
struct Touched {
  std::set<JobId> jobs;
  std::set<AttemptKey> attempts;
  std::set<std::string> clusters, nodes, flavors, queues, reservations, policies, usage, spending;  // set or removed
};

// Folds one event in. Preconditions (asserted): event.seq == tables.last_seq + 1,
// time does not run backwards, what it speaks of exists, and the transition is one
// that model/lifecycle.h allows.
void apply(Tables& tables, const Event& event, Touched* touched = nullptr);

// What the attempt of this job uses, and whose that is, by flavor.
std::vector<UsageEntry> usage_of(const Attempt& attempt, const Job& job);

// What the attempt has cost until then. Of a flavor that is gone nobody knows the price.
Cost cost_until(const Attempt& attempt, const Job& job, const std::map<std::string, Flavor>& flavors, Instant time);

// What the attempts that have not ended use, by queue and user, as entered.
UsageRows running_usage(const Tables& tables);

// Drops a job that has ended, and its attempts.
void forget(Tables& tables, JobId job);

}  // namespace ym
