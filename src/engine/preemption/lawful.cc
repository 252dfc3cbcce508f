#include "engine/preemption/lawful.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>

#include "engine/preemption/within.h"

namespace ym::engine {
namespace {

// For the queue's subtree, by all that is charged to it.
bool exceeds_nominal(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, ResourceKind kind) {
  return quota.usage(queue, flavor, kind) > quota.subtree(queue, flavor, kind);
}

// For the kinds that the place has some of.
template <class Test>
bool any_kind(const Claimant& claimant, const Footprint& place, Kinds kinds, Test test) {
  const QuotaTree& quota = claimant.state.quota;
  const auto flavors = claimant.flavors.each();
  for (std::size_t at = 0; at < flavors.size(); ++at) {
    if (!place.flavors.has(flavors[at])) continue;
    const ResourceVector held = place.in(flavors[at]);
    for (const ResourceKind kind : kKindsByWeight)
      if (kinds.has(kind, at) && held[kind] > 0 && quota.limited(place.queue, flavors[at], kind) &&
          test(flavors[at], kind, held[kind]))
        return true;
  }
  return false;
}

// The fence on the way up from the queue, below the meeting point with the other queue. kNone: none.
QueueIndex fence_above(const State::Impl& state, QueueIndex queue, QueueIndex other) {
  for (; queue != kNone && !state.quota.is_above(queue, other); queue = state.quota.parent(queue))
    if (state.stops.is_fenced(queue)) return queue;
  return kNone;
}

bool is_lent(const QuotaTree& quota, const Claimant& claimant, const Footprint& place, Kinds kinds, Lent how) {
  return any_kind(claimant, place, kinds, [&](FlavorIndex flavor, ResourceKind kind, std::int64_t held) {
    const std::int64_t beyond = how == Lent::wholly ? held : 1;
    QueueIndex queue = place.queue;
    while (!quota.is_above(queue, claimant.shape.queue) &&
           quota.usage(queue, flavor, kind) >= quota.subtree(queue, flavor, kind) + beyond)
      queue = quota.parent(queue);
    return quota.is_above(queue, claimant.shape.queue);
  });
}

std::vector<Subject> pick(const std::vector<Subject>& subjects, bool tentative, bool own, const Claimant& claimant) {
  std::vector<Subject> picked;
  std::ranges::copy_if(subjects, std::back_inserter(picked), [&](const Subject& one) {
    return one.tentative == tentative && may_take(claimant, one) == own;
  });
  // The smallest leaves first: a queue just above its nominal quota may give up its small jobs only while it still is.
  std::ranges::sort(picked, {}, [](const Subject& one) {
    const ResourceVector total = one.place->total();
    return std::tuple(total[ResourceKind::gpus], total[ResourceKind::cpus], total[ResourceKind::memory], one.job);
  });
  return picked;
}

// Whether there is an order in which each job's usage is lent when it leaves. The search finds the last job first: its
// usage is lent when all others are gone. A job that stays makes usage larger, so it never keeps another from leaving,
// and it does not matter which of several is picked. Precondition: all have departed. At the end, all jobs that have a
// position in the order are back.
std::optional<Unlawful> bring_back(Trial& trial, const Claimant& claimant, std::vector<Subject> gone, Kinds kinds,
                                   const std::set<JobId>& to_borrow) {
  bool found = true;
  while (found && !gone.empty()) {
    found = false;
    for (std::size_t i = gone.size(); i-- > 0;) {
      trial.stay(gone[i].job);
      const Lent how = to_borrow.contains(gone[i].job) ? Lent::wholly : Lent::partly;
      if (is_lent(claimant, *gone[i].place, kinds, how)) {
        gone.erase(gone.begin() + static_cast<std::ptrdiff_t>(i));
        found = true;
      } else {
        trial.depart(gone[i].job);
      }
    }
  }
  if (gone.empty()) return std::nullopt;
  return Unlawful{gone.front().job};
}

void depart(Trial& trial, const std::vector<Subject>& subjects) {
  for (const Subject& one : subjects) trial.depart(one.job);
}

// The preempted jobs against which the claimant does not stay within nominal quota when all preempted jobs have left;
// nothing: it may not stop one of these to borrow.
std::optional<std::set<JobId>> taken_to_borrow(Trial& trial, const Claimant& claimant,
                                               const std::vector<Subject>& preempted_jobs, Own own) {
  std::set<JobId> taken;
  bool right = true;
  const auto mark = trial.mark();
  depart(trial, preempted_jobs);
  trial.claim({.job = claimant.state.jobs.slot(claimant.job.id), .flavors = claimant.flavors});
  Within within(claimant, own);
  for (const Subject& one : preempted_jobs) {
    if (may_take(claimant, one) || within.against(one.place->queue)) continue;
    right = right && one.row->priority < borrows_below(claimant);
    taken.insert(one.job);
  }
  trial.roll_back(mark);
  return right ? std::optional(taken) : std::nullopt;
}

}  // namespace

Claimant Claimant::of(const State::Impl& state, const JobRow& job, const Flavors& flavors) {
  const Shape& shape = state.shape_of(job);
  const auto row = state.queues.find(state.queue_names[shape.queue]);
  return {.state = state,
          .job = job,
          .shape = shape,
          .rules = row == state.queues.end() ? nullptr : &row->second,
          .flavors = flavors};
}

bool can_be_stopped(const JobRow& job, const LiveAttempt& attempt) {
  return job.preemptible && !job.cancel_requested && !attempt.stopping && !attempt.unreachable && !attempt.leaving;
}

bool is_own(const Claimant& claimant, const Footprint& place) { return place.queue == claimant.shape.queue; }

Claims claims_of(const JobRow& job, QueueIndex queue) {
  return {.queue = queue,
          .priority = job.priority,
          .submitted_at = job.submitted_at,
          .id = job.id,
          .arrived_at = job.arrived_at,
          .stopped_at = job.stopped_at};
}

QueueIndex fence_between(const Claimant& claimant, QueueIndex queue) {
  const QueueIndex own = claimant.shape.queue;
  const QueueIndex fence = fence_above(claimant.state, own, queue);
  return fence == kNone ? fence_above(claimant.state, queue, own) : fence;
}

bool may_take(const Claimant& claimant, const Subject& subject) {
  if (!is_own(claimant, *subject.place) || !claimant.rules) return false;
  const QueueIndex queue = claimant.shape.queue;
  return may_stop(claimant.rules->preempt, claims_of(claimant.job, queue), claims_of(*subject.row, queue));
}

std::int64_t takes_below(const Claimant& claimant) {
  const std::int64_t own = claimant.job.priority;
  return claimant.rules && claimant.rules->preempt == PreemptRule::any ? own + 1 : own;
}

bool may_reclaim(const Claimant& claimant, const Subject& subject) {
  return may_reclaim_from(claimant, subject.place->queue) && subject.row->priority < reclaims_below(claimant) &&
         may_stop_again(claimant.job.arrived_at, subject.row->stopped_at);
}

bool may_reclaim_from(const Claimant& claimant, QueueIndex queue) {
  const QuotaTree& quota = claimant.state.quota;
  const QueueIndex own = claimant.shape.queue;
  if (queue == own || !claimant.rules || quota.root(own) == kNone || quota.root(own) != quota.root(queue)) return false;
  return claimant.rules->reclaim != PreemptRule::never && !is_fenced_off(claimant, queue);
}

std::int64_t reclaims_below(const Claimant& claimant) {
  const bool any = claimant.rules && claimant.rules->reclaim == PreemptRule::any;
  return any ? std::numeric_limits<std::int64_t>::max() : claimant.job.priority;
}

Kinds contested_kinds(const Claimant& claimant) {
  if (std::ranges::find(claimant.flavors.each(), kNone) != claimant.flavors.each().end()) return {};
  const QuotaTree& quota = claimant.state.quota;
  const Kinds missing = short_kinds(quota, claimant.shape, claimant.flavors);
  return missing.empty() ? asked_kinds(quota, claimant.shape, claimant.flavors) : missing;
}

bool is_lent(const Claimant& claimant, const Footprint& place, Kinds kinds, Lent how) {
  return is_lent(claimant.state.quota, claimant, place, kinds, how);
}

bool is_still_lent(const Claimant& claimant, const Footprint& place, Kinds kinds) {
  return is_lent(claimant.state.in_use, claimant, place, kinds, Lent::partly);
}

bool is_borrower(const Claimant& claimant, const Footprint& place, Kinds kinds) {
  return any_kind(claimant, place, kinds, [&](FlavorIndex flavor, ResourceKind kind, std::int64_t) {
    return exceeds_nominal(claimant.state.quota, place.queue, flavor, kind);
  });
}

std::int64_t borrows_below(const Claimant& claimant) {
  constexpr std::int64_t kBelowAll = std::numeric_limits<std::int64_t>::min();
  if (!claimant.rules || !claimant.rules->preempt_to_borrow) return kBelowAll;
  return std::min(std::int64_t{claimant.job.priority}, std::int64_t{*claimant.rules->preempt_to_borrow} + 1);
}

std::optional<Unlawful> depart_lawfully(Trial& trial, const Claimant& claimant,
                                        const std::vector<Subject>& preempted_jobs, Own own) {
  for (const Subject& one : preempted_jobs)
    if (!may_take(claimant, one) && !may_reclaim(claimant, one)) return Unlawful{one.job};
  const auto to_borrow = taken_to_borrow(trial, claimant, preempted_jobs, own);
  if (!to_borrow) return Unlawful{};
  const auto tentative = pick(preempted_jobs, true, false, claimant),
             others = pick(preempted_jobs, false, false, claimant);
  const Kinds at_first = contested_kinds(claimant);
  depart(trial, pick(preempted_jobs, true, true, claimant));
  depart(trial, tentative);
  const Kinds then = contested_kinds(claimant);
  depart(trial, others);
  // Jobs of the own queue do not count on the other queues' side below the meeting point: they do not matter here.
  auto unlawful = bring_back(trial, claimant, others, then, *to_borrow);
  if (!unlawful) unlawful = bring_back(trial, claimant, tentative, at_first, *to_borrow);
  if (unlawful) return unlawful;
  depart(trial, pick(preempted_jobs, false, true, claimant));
  depart(trial, tentative);
  depart(trial, others);
  return std::nullopt;
}

}  // namespace ym::engine
