// Whose turn it is, from the rule: at each cohort the child whose share would be least.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "model/tables.h"
#include "reference/lately.h"
#include "reference/quota.h"

namespace ym::reference {

// Those who wait or are held, by priority, submit time and id.
std::vector<const Job*> waiting_in_order(const Tables& tables);

// All its tasks want nodes of one kind.
bool is_of_one_kind(const Job& job);

// What a job would use, in the flavor that it tries first; nothing: it can use none, or that does not count.
struct Wish {
  const Job* job = nullptr;
  std::string flavor;
  ResourceVector more{};  // what of it
  ResourceVector old{};   // the same, of an old job: it adds nothing
  bool neglected = false;
  bool lends = false;  // it waits for nothing but machines
};

// An anchor counts as if it were like the others, groups by the flavor of which they want most. `choices`: in the order
// in which the job tries them.
Wish wish_of(const Job& job, const std::vector<std::string>& choices, const NaiveQuota& quota);

// What is used at the moment, and what was lately.
struct Used {
  const Use& now;
  const NaiveLately& lately;
  FairShare fair_share;
};

// Its place in its queue, but for what its users have used: less goes first.
using LinePlace = std::tuple<std::int64_t, std::int64_t, Instant, JobId>;
LinePlace place_in_line(const Tables& tables, Instant now, const Job& job);

// Of `waiting` the one that is looked at next. `shortest_age_cap`: of the queues in which somebody waits.
const Job* next_in_turn(const Tables& tables, const Used& used, const std::vector<Wish>& waiting,
                        Duration shortest_age_cap, Instant now);

}  // namespace ym::reference
