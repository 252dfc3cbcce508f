// What a campaign of random worlds has covered: if something never happens in it, it proves less than it seems to.
#pragma once

#include <algorithm>

#include "engine/plan.h"
#include "model/tables.h"

namespace ym::reference {

struct Seen {
  int priority = 0, reclaims = 0, borrows = 0, several = 0, gangs = 0, releases = 0, into_nominations = 0, judged = 0,
      rests = 0, dropped = 0, wakes = 0, best = 0, best_reclaims = 0, none = 0, many = 0, lent_anew = 0, late = 0,
      back_and_forth = 0, grow = 0, go_on = 0, only_shrink = 0;

  // Checks that rare events were not too frequent, and that everything to be shown occurred at all.
  void judge(int worlds) const;
  void judge_enough(int worlds) const;

  void count(const engine::Preemption& preemption, const Tables& tables) {
    const auto cause = preemption.cause;
    (cause == engine::Preemption::Cause::reclaim  ? reclaims
     : cause == engine::Preemption::Cause::borrow ? borrows
                                                  : priority) += 1;
    go_on += std::ranges::any_of(preemption.preempted_jobs,
                                 [](const auto& preempted) { return !preempted.goes_on.empty(); });
    several += preemption.preempted_jobs.size() > 1;
    gangs += std::ranges::any_of(preemption.preempted_jobs, [&](const engine::PreemptedJob& preempted) {
      return tables.live_attempt(preempted.job)->placement.size() > 1;
    });
  }
};

inline bool found_room(const engine::Plan& plan, JobId job) {
  return std::ranges::any_of(plan.decisions, [&](const auto& one) {
    const auto* found = std::get_if<engine::Preemption>(&one);
    return found && found->job == job;
  });
}

// A job with a nominated placement goes first in the next cycle. If its place goes to a more urgent job, and it finds
// other room at once, it found that before more urgent jobs did; they get it in the cycle after.
inline bool gives_up_what_was_found(const engine::Plan& next, const engine::Plan& before) {
  return std::ranges::any_of(next.decisions, [&](const auto& one) {
    const auto* release = std::get_if<engine::NominationRelease>(&one);
    return release && found_room(before, release->job);
  });
}

}  // namespace ym::reference
