// Who comes into question as a victim of one job, and what a set of victims costs.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/preemption/lawful.h"
#include "engine/preemption/roster.h"

namespace ym::engine {

struct Candidate {
  Running* running = nullptr;
  bool own = false;          // of the job's queue
  bool in_target = false;    // target.h
  bool borrows = false;      // its queue uses more than its nominal of what is contested
  Lent lent = Lent::partly;  // what it has must be at least, if it is of another queue
};
using Candidates = std::vector<Candidate>;

// Whether it is rather stopped than the other: what this cycle has admitted before who runs, then as
// in a price. No two are equal.
bool before(const Candidate& a, const Candidate& b);

// The order in which more of them may leave: so that whoever is in a queue that is just beyond its
// nominal gets his turn while it still is, those go first who have least.
bool leaves_before(const Candidate& a, const Candidate& b);

struct InQuestion {
  Candidates candidates;  // in that order
  // Outside of the target, and spared for now: by a minimum run time.
  Candidates spared{};
  // Some are left out as they were stopped since the job arrived: one that arrives later may find more.
  bool some_are_spent = false;
  // The first time at which somebody may be stopped who is spared so far. kNever: there is none.
  Instant next_unspared = Running::kNever;
};

// Each of them could be stopped if nobody else was, as far as rights go, is not one of the target that goes before the
// claimant, and has something that it needs. The cycle's trial is varied and put back.
InQuestion in_question(Cycle& cycle, const Claimant& claimant, const Roster& roster);

// The order of plans, best first: fewest victims in the target; lowest of the highest victim priority; fewest victims
// in queues that do not borrow; least GPU time lost; least CPU time; fewest victims; youngest first; smallest ids. What
// this cycle has admitted costs nothing of that; between plans that are alike otherwise, those are taken back who come
// last in the order.
struct Price {
  std::size_t in_target = 0;
  std::int32_t highest = -1;
  std::size_t non_borrowers = 0;
  __int128 lost_gpu_ms = 0, lost_cpu_ms = 0;
  std::size_t count = 0;
  std::vector<std::int64_t> ages;  // youngest first
  std::vector<JobId> ids;
  std::vector<std::int64_t> taken_back;  // negative ranks, first in the order first
  auto operator<=>(const Price&) const = default;

  static Price of(const Candidates& victims);
};

}  // namespace ym::engine
