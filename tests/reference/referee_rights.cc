// Which job may preempt which: Kueue's rules as they are written, and the differences here.
#include <algorithm>
#include <map>

#include "reference/parts.h"
#include "reference/referee.h"
#include "reference/target.h"

namespace ym::reference {

bool Referee::may_be_stopped(JobId job) const {
  const Attempt* attempt = t_.live_attempt(job);
  const Job& row = t_.jobs.at(job);
  return attempt && !attempt->stop_cause && attempt->state != AttemptState::unknown && !row.cancel_requested &&
         row.spec->stop.preemptible;
}

bool Referee::is_exempt(JobId job, bool reclaimed) const {
  const Job& row = t_.jobs.at(job);
  const auto recent = std::ranges::count_if(row.preempted_at, [&](Instant at) { return at + hours(1) > now_; });
  return recent >= policy_.preemptions_per_hour || (!reclaimed && would_miss_deadline(job));
}

bool Referee::is_in_min_runtime(JobId job, bool reclaimed) const {
  const Job& row = t_.jobs.at(job);
  Duration own = row.spec->stop.min_runtime;
  if (reclaimed) own = std::min(own, policy_.reclaim_min_runtime_cap);
  Duration queues;
  if (const auto queue = t_.queues.find(attempt_of(job).queue); queue != t_.queues.end())
    queues = reclaimed ? queue->second.min_runtime.reclaim : queue->second.min_runtime.priority;
  const auto started = attempt_of(job).started_at;
  for (const Duration least : {own, queues})
    if (least.ms > 0 && (!started || *started + least > now_)) return true;
  return false;
}

// If it were stopped now, and not if it goes on; for queues ordered by deadline.
bool Referee::would_miss_deadline(JobId job) const {
  const Job& row = t_.jobs.at(job);
  const JobSpec& spec = *row.spec;
  const Attempt& attempt = attempt_of(job);
  const auto queue = t_.queues.find(attempt.queue);
  if (queue == t_.queues.end() || queue->second.order != JobOrder::deadline) return false;
  if (!spec.deadline || !spec.time_limit || *spec.deadline <= now_) return false;
  const Instant begun = attempt.started_at.value_or(now_);
  if (begun + *spec.time_limit > *spec.deadline) return false;
  Duration left = *spec.time_limit;
  for (const Checkpoint& saved : row.checkpoints)
    if (saved.attempt == attempt.number && saved.durable_at > begun)
      left = std::min(left, Duration{spec.time_limit->ms - (saved.durable_at - begun).ms});
  return now_ + spec.stop.grace + std::max(left, Duration{}) > *spec.deadline;
}

bool Referee::was_stopped_since(const Job& job, const Job& preempted) {
  return !preempted.preempted_at.empty() && preempted.preempted_at.front() >= job.arrived_at;
}

std::optional<std::size_t> Referee::place_in_target(JobId job) const {
  if (!target_) target_ = target_of(t_, policy_.restart_cost, now_);
  const auto found = std::ranges::find(*target_, job);
  if (found == target_->end()) return std::nullopt;
  return static_cast<std::size_t>(found - target_->begin());
}

bool Referee::goes_before(const Job& job, JobId preempted) const {
  const auto ours = place_in_target(job.id), theirs = place_in_target(preempted);
  return !theirs || (ours && *ours < *theirs);
}

bool Referee::is_own(const Job& job, JobId preempted) const {
  const Job& other = t_.jobs.at(preempted);
  if (attempt_of(preempted).queue != job.queue) return false;
  const PreemptRule rule = t_.queues.at(job.queue).preempt;
  if (rule == PreemptRule::never || was_stopped_since(job, other)) return false;
  if (other.priority != job.priority) return other.priority < job.priority;
  return rule == PreemptRule::any && std::pair(job.submitted_at, job.id) < std::pair(other.submitted_at, other.id);
}

// A job of another queue of the tree, with a priority that the queue's rule allows, and no fence between them.
bool Referee::may_reclaim(const Job& job, JobId preempted) const {
  const std::string& queue = attempt_of(preempted).queue;
  const NaiveQuota tree(t_.queues, {});
  if (queue == job.queue || !t_.queues.contains(queue) || !tree.sound(queue) || !tree.sound(job.queue) ||
      tree.root(queue) != tree.root(job.queue))
    return false;
  const PreemptRule rule = t_.queues.at(job.queue).reclaim;
  if (rule == PreemptRule::never || was_stopped_since(job, t_.jobs.at(preempted))) return false;
  if (rule == PreemptRule::lower_priority && t_.jobs.at(preempted).priority >= job.priority) return false;
  const auto ours = tree.way_up(job.queue), theirs = tree.way_up(queue);
  return std::ranges::none_of(t_.queues, [&](const auto& entry) {
    const auto has = [&](const std::vector<std::string>& way) {
      return std::ranges::find(way, entry.first) != way.end();
    };
    return entry.second.fence && has(ours) != has(theirs);
  });
}

// The flavor-resources that need preemption: those with too little quota. If there is enough of all, machines are
// missing, and all requested resources count.
Referee::Contest Referee::contested(const Job& job, const std::string& flavors) const {
  Machines machines(t_);
  Use use;
  fill(machines, use, View::rights, {}, job.id);
  const NaiveQuota quota(t_.queues, use);
  Contest missing, all;
  for (const auto& [flavor, need] : needs_of(smallest(job), flavors)) {
    for (const ResourceKind kind : quota.asked(job.queue, flavor, need)) {
      all.emplace_back(flavor, kind);
      if (quota.is_short(job.queue, flavor, kind, need[kind])) missing.emplace_back(flavor, kind);
    }
  }
  return missing.empty() ? all : missing;
}

bool Referee::borrows(const Job& job, const std::string& flavors, JobId preempted, const Jobs& gone, const Jobs& all,
                      Own own) const {
  const Attempt& attempt = attempt_of(preempted);
  if (!may_reclaim(job, preempted)) return false;
  // A stop for borrowing must leave no less than nominal quota in use.
  const bool to_borrow = !all.empty() && !stays_within(job, flavors, preempted, all, own);
  Jobs left = gone;
  if (to_borrow) left.insert(preempted);
  Machines machines(t_);
  Use use;
  fill(machines, use, View::rights, left, job.id);
  const NaiveQuota quota(t_.queues, use);
  const std::int64_t beyond = to_borrow ? 0 : 1;
  const auto ours = quota.way_up(job.queue);
  return std::ranges::any_of(contested(job, flavors), [&](const auto& one) {
    const auto& [flavor, kind] = one;
    if (!has_some(preempted, flavor, kind) || !quota.limited(attempt.queue, flavor, kind)) return false;
    return std::ranges::all_of(quota.way_up(attempt.queue), [&](const std::string& queue) {
      return std::ranges::find(ours, queue) != ours.end() ||
             quota.usage(queue, flavor, kind) >= quota.subtree(queue, flavor, kind) + beyond;
    });
  });
}

// Tries all orders, but none twice from the same set of stopped jobs.
bool Referee::in_some_order(const Job& job, const std::string& flavor, const Jobs& others, const Jobs& all,
                            Own own) const {
  std::map<Jobs, bool> known;
  const auto possible = [&](const auto& self, const Jobs& gone) -> bool {
    if (gone == others) return true;
    if (const auto found = known.find(gone); found != known.end()) return found->second;
    bool any = false;
    for (const JobId next : others) {
      if (any || gone.contains(next) || !borrows(job, flavor, next, gone, all, own)) continue;
      Jobs more = gone;
      more.insert(next);
      any = self(self, more);
    }
    return known[gone] = any;
  };
  return possible(possible, {});
}

Jobs Referee::others_of(const Job& job, const Jobs& preempted_jobs) const {
  Jobs others;
  for (const JobId preempted : preempted_jobs)
    if (!is_own(job, preempted)) others.insert(preempted);
  return others;
}

bool Referee::has_some(JobId preempted, const std::string& flavor, ResourceKind kind) const {
  const Job& job = t_.jobs.at(preempted);
  const Attempt& attempt = attempt_of(preempted);
  return std::ranges::any_of(parts_of(job, attempt.flavor, std::ssize(attempt.placement)), [&](const Part& part) {
    return part.flavor == flavor && part.job.spec->total()[kind] > 0;
  });
}

bool Referee::may_borrow_from(const Job& job, JobId preempted) const {
  const auto most = t_.queues.at(job.queue).preempt_to_borrow;
  const std::int32_t priority = t_.jobs.at(preempted).priority;
  return most && priority <= *most && priority < job.priority;
}

bool Referee::has_right(const Job& job, const std::string& flavors, const Jobs& gone, Own own) const {
  return std::ranges::all_of(others_of(job, gone), [&](JobId preempted) {
    return may_borrow_from(job, preempted) || stays_within(job, flavors, preempted, gone, own);
  });
}

// The nominated placements of stopping jobs count in any case.
bool Referee::stays_within(const Job& job, const std::string& flavors, JobId preempted, const Jobs& gone,
                           Own own) const {
  Jobs without = gone;
  for (const auto& [id, other] : t_.jobs) {
    const Attempt* live = own == Own::aside ? t_.live_attempt(id) : nullptr;
    if (live && !live->stop_cause && other.spec->stop.preemptible && is_own(job, id)) without.insert(id);
  }
  Machines machines(t_);
  Use use;
  fill(machines, use, View::later, without, job.id);
  const Job least = smallest(job);
  charge(use, least, job.queue, flavors, static_cast<std::size_t>(least.spec->nodes));
  const NaiveQuota quota(t_.queues, use);
  const auto theirs = quota.way_up(attempt_of(preempted).queue);
  return std::ranges::any_of(quota.way_up(job.queue), [&](const std::string& queue) {
    return std::ranges::find(theirs, queue) == theirs.end() &&
           std::ranges::all_of(needs_of(least, flavors), [&](const FlavorNeed& need) {
             return std::ranges::all_of(quota.asked(job.queue, need.flavor, need.amounts), [&](auto kind) {
               return quota.usage(queue, need.flavor, kind) <= quota.subtree(queue, need.flavor, kind);
             });
           });
  });
}

}  // namespace ym::reference
