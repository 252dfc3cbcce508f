// The dequeue order, from the rule: at each cohort the child with the smallest share goes next.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "model/tables.h"
#include "reference/decayed_usage.h"
#include "reference/quota.h"

namespace ym::reference {

// Waiting and held jobs, by priority, submit time and id.
std::vector<const Job*> waiting_in_order(const Tables& tables);

// All its tasks want nodes of one kind.
bool is_of_one_kind(const Job& job);

// What a job would use in the flavor that it tries first. Nothing: it can use none, or that does not count.
struct Wish {
  const Job* job = nullptr;
  std::string flavor;
  ResourceVector more{};  // what of it
  ResourceVector old{};   // the same, of an old job: it adds nothing
  bool neglected = false;
  bool gives_age = false;  // it waits for nothing but machines
};

// An anchor counts as if it were like the other nodes, groups by the flavor that they want most of. `choices`: in the
// order in which the job tries them.
Wish wish_of(const Job& job, const std::vector<std::string>& choices, const NaiveQuota& quota);

// Current and decayed usage.
struct Used {
  const Use& now;
  const NaiveDecayedUsage& decayed;
  FairShare fair_share;
};

// Its place in its queue, apart from its user's usage: less goes first.
using DequeuePlace = std::tuple<std::int64_t, std::int64_t, Instant, JobId>;
DequeuePlace dequeue_place(const Tables& tables, Instant now, const Job& job);

// The job of `waiting` that is considered next. `shortest_age_cap`: of the queues with waiting jobs.
const Job* next_in_dequeue_order(const Tables& tables, const Used& used, const std::vector<Wish>& waiting,
                                 Duration shortest_age_cap, Instant now);

}  // namespace ym::reference
