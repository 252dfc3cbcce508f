#include "engine/preemption/lawful.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

PreemptRule rule_of(const State::Impl& state, Index queue) {
  const auto row = state.queues.find(state.queue_names[queue]);
  return row == state.queues.end() ? PreemptRule::never : row->second.preempt;
}

// Of the queue's subtree, by all that is charged to it.
bool exceeds_nominal(const QuotaTree& quota, Index queue, Index flavor, ResourceKind kind) {
  return quota.usage(queue, flavor, kind) > quota.subtree(queue, flavor, kind);
}

// Kinds that the claimant needs within a quota, and the subject has some of.
template <class Test>
bool any_kind(const Claimant& claimant, const Footprint& place, Test test) {
  const QuotaTree& quota = claimant.state.quota;
  return place.flavor == claimant.flavor && std::ranges::any_of(kKindsByWeight, [&](ResourceKind kind) {
           return place.task[kind] > 0 && asks_for(quota, claimant.shape, claimant.flavor, kind) &&
                  quota.limited(place.queue, claimant.flavor, kind) && test(kind);
         });
}

bool is_own(const Claimant& claimant, const Footprint& place) { return place.queue == claimant.shape.queue; }

// Those that free least first: whoever is in a queue that is just beyond its nominal gets his
// turn while it still is.
auto turn_of(const Subject& subject) {
  const ResourceVector total = subject.place->total();
  return std::tuple(!subject.fresh, total[ResourceKind::gpus], total[ResourceKind::cpus], total[ResourceKind::memory],
                    subject.job);
}

}  // namespace

bool can_be_stopped(const JobRow& job, const LiveAttempt& attempt) {
  return job.preemptible && !job.cancel_requested && !attempt.stopping && !attempt.unreachable && !attempt.leaving;
}

bool may_take(const Claimant& claimant, const Subject& subject) {
  if (!is_own(claimant, *subject.place)) return false;
  const PreemptRule rule = rule_of(claimant.state, claimant.shape.queue);
  if (rule == PreemptRule::never) return false;
  const JobRow &job = claimant.job, &victim = *subject.row;
  if (victim.priority != job.priority) return victim.priority < job.priority;
  return rule == PreemptRule::any && std::tuple(victim.submitted_at, victim.id) > std::tuple(job.submitted_at, job.id);
}

bool borrows_from(const Claimant& claimant, const Footprint& place) {
  const QuotaTree& quota = claimant.state.quota;
  const Index own = claimant.shape.queue;
  if (is_own(claimant, place) || quota.root(own) == kNone || quota.root(own) != quota.root(place.queue)) return false;
  return any_kind(claimant, place, [&](ResourceKind kind) {
    Index queue = place.queue;
    while (!quota.is_above(queue, own) && exceeds_nominal(quota, queue, claimant.flavor, kind))
      queue = quota.parent(queue);
    return quota.is_above(queue, own);
  });
}

bool is_borrower(const Claimant& claimant, const Footprint& place) {
  return any_kind(claimant, place, [&](ResourceKind kind) {
    return exceeds_nominal(claimant.state.quota, place.queue, claimant.flavor, kind);
  });
}

bool stays_within(const Claimant& claimant, const Footprint& place) {
  const QuotaTree& quota = claimant.state.claimed;
  const auto within = [&](Index queue) {
    return std::ranges::none_of(kKindsByWeight, [&](ResourceKind kind) {
      return asks_for(quota, claimant.shape, claimant.flavor, kind) &&
             exceeds_nominal(quota, queue, claimant.flavor, kind);
    });
  };
  for (Index queue = claimant.shape.queue; !quota.is_above(queue, place.queue); queue = quota.parent(queue))
    if (within(queue)) return true;
  return false;
}

Objection depart_lawfully(Trial& trial, const Claimant& claimant, std::vector<Subject> victims) {
  const State::Impl& state = claimant.state;
  std::ranges::sort(victims, {}, turn_of);
  for (const Subject& victim : victims)
    if (may_take(claimant, victim)) trial.depart(victim.job);
  std::erase_if(victims, [&](const Subject& victim) { return may_take(claimant, victim); });
  auto left = victims;
  while (!left.empty()) {
    const auto next =
        std::ranges::find_if(left, [&](const Subject& one) { return borrows_from(claimant, *one.place); });
    if (next == left.end() || next->fresh != left.front().fresh)
      return fmt::format("job {} may not be stopped for it", to_string(left.front().job));
    trial.depart(next->job);
    left.erase(next);
  }
  if (victims.empty()) return std::nullopt;
  const auto mark = trial.mark();
  trial.claim({.job = state.jobs.slot(claimant.job.id), .flavor = claimant.flavor});
  const bool entitled =
      std::ranges::all_of(victims, [&](const Subject& one) { return stays_within(claimant, *one.place); });
  trial.roll_back(mark);
  if (entitled) return std::nullopt;
  return fmt::format("queue {} would use more than its nominal quota", state.queue_names[claimant.shape.queue]);
}

}  // namespace ym::engine
