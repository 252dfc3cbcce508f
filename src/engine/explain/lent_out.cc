#include "engine/explain/lent_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "engine/cycle/stop/make_room.h"
#include "engine/explain/reasons.h"
#include "engine/preemption/preemptible_jobs.h"

namespace ym::engine {
namespace {

// The queue, or the first above it, that stays within its nominal quota with the job. kNone: none does, or only the
// root does. The root lends nothing.
QueueIndex within_nominal(const Claimant& claimant) {
  const QuotaTree& quota = claimant.state.quota;
  std::vector<Ask> asks;
  for_each_ask(quota, claimant.shape, claimant.flavors, [&](const Ask& ask) { asks.push_back(ask); });
  if (asks.empty()) return kNone;
  for (QueueIndex queue = claimant.shape.queue; quota.parent(queue) != kNone; queue = quota.parent(queue)) {
    if (std::ranges::all_of(asks, [&](const Ask& ask) {
          return quota.usage(queue, ask.flavor, ask.kind) + ask.amount <= quota.subtree(queue, ask.flavor, ask.kind);
        }))
      return queue;
    for (Ask& ask : asks) ask.amount = quota.passed_on(queue, ask.flavor, ask.kind, ask.amount);
  }
  return kNone;
}

// "queue b", "queues b and c", "queues b, c and 2 more"
std::string names_of(const std::set<std::string_view>& queues) {
  const auto second = std::next(queues.begin());
  if (second == queues.end()) return fmt::format("queue {}", *queues.begin());
  if (queues.size() == 2) return fmt::format("queues {} and {}", *queues.begin(), *second);
  return fmt::format("queues {}, {} and {} more", *queues.begin(), *second, queues.size() - 2);
}

}  // namespace

// What is lent to other queues of the tree, and why it is not reclaimed.
class LentOutFinder::Search {
 public:
  Search(const Inputs& in, BorrowerGroups& groups, const Claimant& claimant, QueueIndex within, Kinds kinds)
      : in_(in), groups_(groups), claimant_(claimant), within_(within), kinds_(kinds) {}

  std::optional<Found> run() {
    const QuotaTree& quota = in_.state.quota;
    for (BorrowerGroup& group : groups_.of(quota.root(claimant_.shape.queue))) {
      // A queue above the job's queue has become a cohort. Its last jobs are not those of another queue.
      if (quota.is_above(within_, group.queue) || quota.is_above(group.queue, claimant_.shape.queue)) continue;
      const bool lent =
          group.leaving ? is_still_lent(claimant_, *group.place, kinds_) : is_lent(claimant_, *group.place, kinds_);
      if (lent) add(group);
    }
    if (lent_.empty()) return std::nullopt;
    return found();
  }

 private:
  void add(BorrowerGroup& group) {
    const QuotaTree& quota = in_.state.quota;
    jobs_ += group.members.size();
    queues_.insert(in_.state.queue_names[group.queue]);
    QueueIndex top = group.queue;
    while (!quota.is_above(quota.parent(top), claimant_.shape.queue)) top = quota.parent(top);
    tops_.insert(top);
    lent_.push_back(&group);
    if (group.leaving) sum_.stopping += group.members.size();
    else if (claimant_.rules->reclaim == PreemptRule::never) never_ += group.members.size();
    else if (const QueueIndex fence = fence_between(claimant_, group.queue); fence != kNone) {
      fenced_ += group.members.size();
      fences_.insert(in_.state.queue_names[fence]);
    } else {
      count(group);
    }
  }

  void count(BorrowerGroup& group) {
    for (const auto& [priority, tally] : groups_.tallies(group)) {
      sum_.stopping += tally.stopping;
      if (priority >= reclaims_below(claimant_)) {
        not_lower_ += tally.all() - tally.stopping;
        continue;
      }
      sum_.unreachable += tally.unreachable;
      sum_.unpreemptible += tally.unpreemptible;
      sum_.stopped_often += tally.stopped_often;
      sum_.in_min_runtime += tally.in_min_runtime;
      for (const auto& [stopped_at, some] : tally.stoppable)
        (may_stop_again(claimant_.job.arrived_at, stopped_at) ? stoppable_ : stopped_since_) += some.jobs;
      sum_.often_until = std::min(sum_.often_until, tally.often_until);
      sum_.min_runtime_until = std::min(sum_.min_runtime_until, tally.min_runtime_until);
    }
  }

  // Sums over the parts of the tree that have borrowed it, each once.
  std::int64_t lent_of(FlavorIndex flavor, ResourceKind kind) const {
    std::int64_t lent = 0;
    for (const QueueIndex top : tops_) {
      const std::int64_t used =
          std::max(in_.state.quota.usage(top, flavor, kind), in_.state.in_use.usage(top, flavor, kind));
      lent += std::max<std::int64_t>(0, used - in_.state.quota.subtree(top, flavor, kind));
    }
    return lent;
  }

  std::int64_t stoppable_of(FlavorIndex flavor, ResourceKind kind) const {
    std::int64_t amount = 0;
    for (BorrowerGroup* group : lent_) {
      if (!group->tallies || fence_between(claimant_, group->queue) != kNone) continue;
      const auto flavors = group->flavors.each();
      const auto place = static_cast<std::size_t>(std::ranges::find(flavors, flavor) - flavors.begin());
      for (const auto& [priority, tally] : *group->tallies)
        for (const auto& [stopped_at, some] : tally.stoppable)
          if (priority < reclaims_below(claimant_) && may_stop_again(claimant_.job.arrived_at, stopped_at) &&
              place < some.amounts.size())
            amount += some.amounts[place][kind];
    }
    return amount;
  }

  Found found() const {
    Found found;
    const State::Impl& state = in_.state;
    const auto main = find_ask(state.quota, claimant_.shape, claimant_.flavors, [&](const Ask& ask) {
      return kinds_.has(ask.kind, ask.place) && lent_of(ask.flavor, ask.kind) > 0;
    });
    found.flavor = main->flavor;
    found.kind = main->kind;
    found.stoppable = stoppable_;
    found.some_are_young = sum_.in_min_runtime > 0;
    found.stoppable_amount = stoppable_of(main->flavor, main->kind);
    found.lent = counted();
    found.lent.queue = state.queue_names[within_];
    found.lent.to = names_of(queues_);
    found.lent.fence = fences_.empty() ? "" : std::string(*fences_.begin());
    found.lent.flavor = state.inventory.flavor_names[main->flavor];
    found.lent.of = {.kind = main->kind};
    found.lent.lent = amount(main->kind, lent_of(main->flavor, main->kind));
    return found;
  }

  LentOut counted() const {
    const auto whole = [](std::size_t jobs) { return static_cast<std::int64_t>(jobs); };
    const auto time = [](Instant until) { return until == kNever ? std::nullopt : std::optional(until); };
    return {.queue = {},
            .to = {},
            .fence = {},
            .flavor = {},
            .of = {},
            .lent = {},
            .lent_to_jobs = whole(jobs_),
            .stopping = whole(sum_.stopping),
            .reclaim_never = whole(never_),
            .fenced = whole(fenced_),
            .not_lower = whole(not_lower_),
            .unpreemptible = whole(sum_.unpreemptible),
            .in_min_runtime = whole(sum_.in_min_runtime),
            .min_runtime_until = time(sum_.min_runtime_until),
            .stopped_often = whole(sum_.stopped_often),
            .stopped_often_until = time(sum_.often_until),
            .stopped_since = whole(stopped_since_),
            .unreachable = whole(sum_.unreachable)};
  }

  const Inputs& in_;
  BorrowerGroups& groups_;
  const Claimant& claimant_;
  const QueueIndex within_;
  const Kinds kinds_;
  std::vector<BorrowerGroup*> lent_;
  std::set<QueueIndex> tops_;  // the highest ancestors that are not above the claimant
  std::set<std::string_view> queues_, fences_;
  std::size_t jobs_ = 0, never_ = 0, fenced_ = 0, not_lower_ = 0, stoppable_ = 0, stopped_since_ = 0;
  Tally sum_;
};

// If this cycle reached its limits, the next one has to search for jobs to stop first.
LentOutFinder::LentOutFinder(const Cycle& cycle)
    : in_(cycle.in),
      pending_(cycle.pending),
      tried_(cycle.tried),
      may_say_(cycle.in.policy.quota_phase && cycle.in.policy.place_phase && cycle.in.policy.preempt_phase &&
               cycle.tried.made_room.size() < kMostHelped && cycle.known.searches < kMostSearches),
      groups_(cycle.in, cycle.tried) {}

const std::optional<LentOutFinder::Found>& LentOutFinder::known(const Claimant& claimant, QueueIndex within) {
  const Kinds kinds = contested_kinds(claimant);
  const bool by_priority = claimant.rules->reclaim == PreemptRule::lower_priority;
  const std::int64_t below = by_priority ? reclaims_below(claimant) : std::numeric_limits<std::int64_t>::max();
  const auto groups = groups_.of(in_.state.quota.root(claimant.shape.queue));
  const bool all_before = std::ranges::all_of(
      groups, [&](const BorrowerGroup& group) { return may_stop_again(claimant.job.arrived_at, group.last_stop); });
  const auto [known, tentative] = known_.try_emplace(Asked{claimant.shape.queue, within, claimant.flavors, kinds, below,
                                                           all_before ? kNever : claimant.job.arrived_at});
  if (tentative) known->second = Search(in_, groups_, claimant, within, kinds).run();
  return known->second;
}

// The cycle waits for leaving jobs, and stops no other job before it is known whether these are enough.
std::int64_t LentOut::* LentOutFinder::why_not_stopped(const Claimant& claimant, const Found& found) const {
  if (some_jobs_leave(in_, tried_)) return &LentOut::stoppable;
  const std::int64_t needed = claimant.shape.in(claimant.flavors, found.flavor)[found.kind];
  const std::int64_t there =
      in_.state.quota.available(claimant.shape.queue, found.flavor, found.kind).amount + found.stoppable_amount;
  return there < needed ? &LentOut::too_little : found.some_are_young ? &LentOut::not_first : &LentOut::no_nodes;
}

bool LentOutFinder::add_to(Reason& reason, Rank rank, const Flavors& flavors) {
  const QueueIndex root = in_.state.quota.root(pending_.entry(rank).queue);
  if (!may_say_ || groups_.of(root).empty()) return false;
  const Claimant claimant = claimant_of(in_, pending_, rank, flavors);
  const QueueIndex within = claimant.rules ? within_nominal(claimant) : kNone;
  if (within == kNone) return false;
  const auto& found = known(claimant, within);
  if (!found) return false;
  LentOut lent = found->lent;
  if (found->stoppable > 0) lent.*why_not_stopped(claimant, *found) = static_cast<std::int64_t>(found->stoppable);
  reason.lent = std::move(lent);
  return true;
}

}  // namespace ym::engine
