#include "engine/preemption/search.h"

#include <algorithm>
#include <compare>
#include <tuple>
#include <utility>

#include "engine/preemption/node_costs.h"
#include "engine/quota/demand.h"

namespace ym::engine {

RoomSearch::RoomSearch(Cycle& cycle, Rank rank, Index flavor, std::vector<Running>& roster)
    : cycle_(cycle),
      rank_(rank),
      shape_(cycle.shape(rank)),
      claimant_{.state = cycle.state, .job = cycle.job(rank), .shape = shape_, .flavor = flavor} {
  for (Running& running : roster) consider(running);
  // The roster is in this order but for what depends on the job.
  if (!std::ranges::is_sorted(candidates_, before)) std::ranges::sort(candidates_, before);
}

const RoomSearch::Lending& RoomSearch::lending(const Footprint& place) {
  unsigned kinds = 0;
  for (const ResourceKind kind : kKindsByWeight) kinds = kinds * 2 + (place.task[kind] > 0);
  const auto [it, fresh] = lendings_.try_emplace({place.queue, place.flavor, kinds});
  if (fresh)
    it->second = {.reclaimable = cycle_.policy.quota_phase && borrows_from(claimant_, place),
                  .borrows = is_borrower(claimant_, place)};
  return it->second;
}

void RoomSearch::consider(Running& running) {
  if (running.gone) return;
  const bool own = may_take(claimant_, running);
  const Lending& lent = lending(*running.place);
  if (!own && !lent.reclaimable) return;
  const Instant spared = own ? running.spared : running.spared_from_reclaim;
  if (spared > cycle_.now) {
    next_unspared_ = std::min(next_unspared_, spared);
    return;
  }
  candidates_.push_back({.running = &running, .own = own, .borrows = lent.borrows});
}

bool RoomSearch::before(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& c) {
    return std::tuple(!c.running->fresh, c.running->row->priority, !c.borrows, c.running->lost_gpu_ms,
                      -c.running->admitted_at.ms, c.running->job);
  };
  return key(a) < key(b);
}

struct RoomSearch::Price {
  std::int32_t highest = -1;
  std::size_t non_borrowers = 0;
  __int128 lost = 0;
  std::size_t count = 0;
  std::vector<std::int64_t> ages;  // youngest first
  std::vector<JobId> ids;
  auto operator<=>(const Price&) const = default;
};

struct RoomSearch::Found {
  Price price;
  RoomPlan plan;
};

RoomSearch::Price RoomSearch::price_of(const Candidates& victims) {
  Price price;
  for (const Candidate& victim : victims) {
    if (victim.running->fresh) continue;
    price.highest = std::max(price.highest, victim.running->row->priority);
    price.non_borrowers += !victim.borrows;
    price.lost += victim.running->lost_gpu_ms;
    price.count += 1;
    price.ages.push_back(-victim.running->admitted_at.ms);
    price.ids.push_back(victim.running->job);
  }
  std::ranges::sort(price.ages);
  std::ranges::sort(price.ids);
  return price;
}

std::optional<RoomPlan> RoomSearch::best() {
  if (candidates_.empty()) return std::nullopt;
  std::optional<Found> best;
  Candidates own;
  std::ranges::copy_if(candidates_, std::back_inserter(own), &Candidate::own);
  if (own.size() < candidates_.size()) try_all(entitled(candidates_), best);
  if (!own.empty()) try_all(own, best);
  if (!best) return std::nullopt;
  return std::move(best->plan);
}

void RoomSearch::try_all(const Candidates& candidates, std::optional<Found>& best) {
  bool clearable = false, found = false;
  for (const Pool& pool : cycle_.state.inventory.pools(claimant_.flavor)) {
    const auto order = cheapest_nodes_first(candidates, pool);
    if (!order) continue;
    clearable = true;
    const std::size_t enough = try_in_order(order->candidates, best);
    // Who is not on those nodes would leave for quota alone: others may be better for that.
    found = found || (enough > 0 && enough <= order->on_nodes);
  }
  const bool alike =
      std::ranges::all_of(candidates, [&](const Candidate& one) { return one.borrows == candidates.front().borrows; });
  if (clearable && (!found || !alike)) try_in_order(candidates, best);
}

// How many of the first were enough; 0: it is in vain.
std::size_t RoomSearch::try_in_order(const Candidates& candidates, std::optional<Found>& best) {
  const auto mark = cycle_.trial.mark();
  Candidates gone;
  if (!depart_enough(candidates, gone)) {
    cycle_.trial.roll_back(mark);
    return 0;
  }
  const std::size_t enough = gone.size();
  give_back(gone);
  auto choice = place(gone);
  cycle_.trial.roll_back(mark);
  if (!choice || gone.empty() || !is_lawful(gone)) return enough;
  Price price = price_of(gone);
  if (best && best->price <= price) return enough;
  std::ranges::sort(gone, {}, [](const Candidate& victim) { return victim.running->job; });
  best = Found{.price = std::move(price), .plan = {.victims = {}, .choice = std::move(*choice)}};
  for (const Candidate& victim : gone) best->plan.victims.push_back(victim.running);
  return enough;
}

// The first so many that are enough, found by doubling their number and by bisection.
bool RoomSearch::depart_enough(const Candidates& candidates, Candidates& gone) {
  std::size_t next = 0, too_few = 0;
  for (std::size_t count = 1;; count *= 2) {
    depart_until(candidates, next, count, gone);
    if (place(gone)) break;
    too_few = gone.size();
    if (next == candidates.size()) return false;
  }
  shorten(gone, too_few);
  return true;
}

// Those of other queues only while their queue borrows.
void RoomSearch::depart_until(const Candidates& candidates, std::size_t& next, std::size_t count, Candidates& gone) {
  for (; next < candidates.size() && gone.size() < count; ++next) {
    const Candidate& candidate = candidates[next];
    if (!candidate.own && !borrows_from(claimant_, *candidate.running->place)) continue;
    cycle_.trial.depart(candidate.running->job);
    gone.push_back(candidate);
  }
}

// Precondition: they are enough, and the first `too_few` of them are not.
void RoomSearch::shorten(Candidates& gone, std::size_t too_few) {
  std::size_t departed = gone.size(), enough = gone.size();
  const auto first = [&](std::size_t count) {
    for (; departed > count; --departed) cycle_.trial.stay(gone[departed - 1].running->job);
    for (; departed < count; ++departed) cycle_.trial.depart(gone[departed].running->job);
    return Candidates(gone.begin(), gone.begin() + static_cast<std::ptrdiff_t>(count));
  };
  while (too_few + 1 < enough) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (place(first(middle)) ? enough : too_few) = middle;
  }
  gone = first(enough);
}

void RoomSearch::give_back(Candidates& gone) {
  for (std::size_t i = gone.size(); i-- > 0;) {
    const Candidate spared = gone[i];
    cycle_.trial.stay(spared.running->job);
    gone.erase(gone.begin() + static_cast<std::ptrdiff_t>(i));
    if (place(gone)) continue;
    cycle_.trial.depart(spared.running->job);
    gone.insert(gone.begin() + static_cast<std::ptrdiff_t>(i), spared);
  }
}

// Where the job runs when all have left who leave; nothing: it cannot.
std::optional<Choice> RoomSearch::place(const Candidates& gone) {
  if (cycle_.quota_stops(shape_, claimant_.flavor, When::later) || !has_right(gone)) return std::nullopt;
  return choose(cycle_.state.inventory, claimant_.flavor, shape_.need(), cycle_.kept_nodes.keepers(), When::later);
}

bool RoomSearch::is_lawful(const Candidates& victims) {
  std::vector<Subject> subjects;
  for (const Candidate& victim : victims) subjects.push_back(*victim.running);
  const auto mark = cycle_.trial.mark();
  const bool lawful = !depart_lawfully(cycle_.trial, claimant_, std::move(subjects));
  cycle_.trial.roll_back(mark);
  return lawful;
}

// First those on the nodes of the pool that are the cheapest to clear, then all others. Nothing: not
// so many nodes can be cleared.
std::optional<RoomSearch::NodesFirst> RoomSearch::cheapest_nodes_first(const Candidates& candidates,
                                                                       const Pool& pool) const {
  std::vector<const Running*> runnings;
  for (const Candidate& candidate : candidates) runnings.push_back(candidate.running);
  const auto chosen = cheapest_to_clear(cycle_, shape_, pool, runnings);
  if (!chosen) return std::nullopt;
  NodesFirst ordered;
  for (const bool first : {true, false}) {
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if ((*chosen)[i] == first) ordered.candidates.push_back(candidates[i]);
    if (first) ordered.on_nodes = ordered.candidates.size();
  }
  return ordered;
}

}  // namespace ym::engine
