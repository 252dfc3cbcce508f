// The candidates to stop for one job, and the price of a set of preempted jobs.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/preemption/lawful.h"
#include "engine/preemption/preemptible_jobs.h"

namespace ym::engine {

struct Candidate {
  Running* running = nullptr;
  bool own = false;          // of the preempting job's queue
  bool in_target = false;    // target.h
  bool borrows = false;      // its queue uses more than its nominal quota of a contested kind
  Lent lent = Lent::partly;  // for a candidate of another queue: how far its usage must be lent
};
using Candidates = std::vector<Candidate>;

// Whether `a` is stopped before `b`: first admissions of this cycle, then running jobs in the order of prices. No two
// are equal.
bool before(const Candidate& a, const Candidate& b);

// The order in which more jobs may leave: the smallest first. A queue just above its nominal quota may give up its
// small jobs only while it still is.
bool leaves_before(const Candidate& a, const Candidate& b);

struct FoundCandidates {
  Candidates candidates;  // in that order
  // Outside the target, and protected for now by a minimum run time.
  Candidates spared{};
  // Some jobs are left out because they were stopped after the preempting job arrived: a job that arrives later may
  // find more.
  bool some_were_stopped_since = false;
  // The first time at which a job may be stopped that is protected so far. kNever: there is none.
  Instant next_unspared = Running::kNever;
};

// Each candidate could be stopped alone, as far as rights go, does not go before the claimant in the target, and has
// something that the claimant needs. Changes the cycle's trial and restores it.
FoundCandidates find_candidates(Cycle& cycle, const Claimant& claimant, const PreemptibleJobs& preemptible);

// The order of plans, best first: fewest preempted jobs in the target; lowest of the highest preempted job priority;
// fewest preempted jobs in queues that do not borrow; least GPU time lost; least CPU time lost; fewest preempted jobs;
// youngest first; smallest ids. Admissions of this cycle cost nothing of that. Between plans that are equal otherwise,
// the admissions that come last in the dequeue order are revoked.
struct Price {
  std::size_t in_target = 0;
  std::int32_t highest = -1;
  std::size_t non_borrowers = 0;
  __int128 lost_gpu_ms = 0, lost_cpu_ms = 0;
  std::size_t count = 0;
  std::vector<std::int64_t> ages;  // youngest first
  std::vector<JobId> ids;
  std::vector<std::int64_t> taken_back;  // negative ranks, the first in the dequeue order first
  auto operator<=>(const Price&) const = default;

  static Price of(const Candidates& preempted_jobs);
};

}  // namespace ym::engine
