#include "engine/cycle/quota_from.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/cycle/yielding.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Who passed a job of this rank, in a flavor of its tree.
class Passed {
 public:
  Passed(Cycle& cycle, Rank rank, Index flavor)
      : cycle_(cycle),
        since_(cycle.order[rank].submitted_at),
        holder_(claims_of(cycle.job(rank), cycle.shape(rank).queue)),
        flavor_(flavor) {}

  // In the order of their ends, then by id.
  std::vector<Passer> all() const {
    const Index root = cycle_.state.quota.root(holder_.queue);
    std::vector<Passer> others, own = of_own_queue(), both;
    add_admitted_now(root, own);
    std::ranges::sort(own, {}, &Passer::order);
    std::ranges::copy_if(cycle_.passers.of_tree(cycle_, root), std::back_inserter(others), [&](const Passer& one) {
      return one.queue != holder_.queue && one.flavor == flavor_ && one.admitted_at >= since_ &&
             !cycle_.state.stays.tenant(one.slot).ending.leaving;
    });
    both.reserve(others.size() + own.size());
    std::ranges::merge(others, own, std::back_inserter(both), {}, &Passer::order, &Passer::order);
    return both;
  }

 private:
  // These it may stop, too.
  std::vector<Passer> of_own_queue() const {
    std::vector<Passer> own;
    for (const Index slot : cycle_.state.stays.of_queue(holder_.queue)) add(slot, own);
    return own;
  }

  void add_admitted_now(Index root, std::vector<Passer>& list) const {
    for (const auto& [slot, fresh] : cycle_.fresh)
      if (fresh.place.queue != holder_.queue && cycle_.state.quota.root(fresh.place.queue) == root) add(slot, list);
  }

  void add(Index slot, std::vector<Passer>& list) const {
    const Tenant& tenant = cycle_.state.stays.tenant(slot);
    const Instant admitted_at = tenant.ending.admitted_at.value_or(cycle_.now);
    if (tenant.flavor != flavor_ || tenant.ending.leaving || admitted_at < since_) return;
    const Calendar& calendar = cycle_.reservations.calendar();
    const Instant end = std::min(calendar.gone_by(tenant.ending), yields_to(cycle_, slot, holder_));
    if (const Minute gone = calendar.minute_of(end); gone != kNoMinute)
      list.push_back({.gone = gone,
                      .id = cycle_.state.jobs[slot].id,
                      .admitted_at = admitted_at,
                      .slot = slot,
                      .queue = tenant.queue,
                      .flavor = flavor_,
                      .total = tenant.total});
  }

  Cycle& cycle_;
  Instant since_;
  Claims holder_;
  Index flavor_;
};

// So many have to be gone at least before what is short can be enough; more than there are: never.
std::size_t fewest_gone(const std::vector<Passer>& passed, const std::optional<Shortage>& shortage) {
  if (!shortage) return 1;
  std::int64_t missing = shortage->needed - shortage->bound.amount;
  std::size_t gone = 0;
  for (; gone < passed.size() && missing > 0; ++gone) missing -= passed[gone].total[shortage->kind];
  return missing > 0 ? passed.size() + 1 : gone;
}

}  // namespace

std::optional<Minute> quota_from(Cycle& cycle, Rank rank, Index flavor) {
  const Shape& shape = cycle.shape(rank);
  if (!cycle.quota_stops(shape, flavor, Tenure{}, When::later)) return 0;
  Index& first = cycle.first_short[shape.queue];
  if (first != kNone && first != cycle.order[rank].slot) return std::nullopt;
  first = cycle.order[rank].slot;
  QuotaTree& promised = cycle.state.promised;
  const std::vector<Passer> passed = Passed(cycle, rank, flavor).all();
  const std::size_t fewest = fewest_gone(passed, short_now(promised, shape, flavor));
  if (fewest > passed.size()) return std::nullopt;
  std::optional<Minute> from;
  std::size_t gone = 0;
  while (!from && gone < passed.size()) {
    promised.remove(passed[gone].queue, flavor, passed[gone].total);
    gone += 1;
    if (gone >= fewest && !cycle.kept_quota.stops(promised, shape, flavor)) from = passed[gone - 1].gone;
  }
  for (; gone > 0; --gone) promised.add(passed[gone - 1].queue, flavor, passed[gone - 1].total);
  return from;
}

}  // namespace ym::engine
