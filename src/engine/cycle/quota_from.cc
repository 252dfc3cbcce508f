#include "engine/cycle/quota_from.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/cycle/yielding.h"

namespace ym::engine {
namespace {

struct Passer {
  Minute gone = 0;
  JobId id;
  const Tenant* tenant = nullptr;
};

// Of the job's tree and the flavor, by when they are gone.
std::vector<Passer> passers(const Cycle& cycle, Rank rank, Index flavor) {
  const State::Impl& state = cycle.state;
  const Index root = state.quota.root(cycle.shape(rank).queue);
  const Claims holder = claims_of(cycle.job(rank), cycle.shape(rank).queue);
  std::vector<Passer> found;
  for (Index queue = 0; queue < state.queue_names.size(); ++queue) {
    if (state.quota.root(queue) != root) continue;
    for (const Index slot : state.stays.of_queue(queue)) {
      const Tenant& tenant = state.stays.tenant(slot);
      if (tenant.flavor != flavor || tenant.ending.leaving) continue;
      if (tenant.ending.admitted_at.value_or(cycle.now) < cycle.order[rank].submitted_at) continue;
      const Instant end =
          std::min(cycle.reservations.calendar().gone_by(tenant.ending), yields_to(cycle, slot, holder));
      const Minute gone = cycle.reservations.calendar().minute_of(end);
      if (gone != kNoMinute) found.push_back({.gone = gone, .id = state.jobs[slot].id, .tenant = &tenant});
    }
  }
  std::ranges::sort(found, {}, [](const Passer& one) { return std::tuple(one.gone, one.id); });
  return found;
}

}  // namespace

std::optional<Minute> quota_from(Cycle& cycle, Rank rank, Index flavor) {
  const Shape& shape = cycle.shape(rank);
  if (!cycle.quota_stops(shape, flavor, Tenure{}, When::later)) return 0;
  Index& first = cycle.first_short[shape.queue];
  if (first != kNone && first != cycle.order[rank].slot) return std::nullopt;
  first = cycle.order[rank].slot;
  QuotaTree& promised = cycle.state.promised;
  const std::vector<Passer> passed = passers(cycle, rank, flavor);
  std::optional<Minute> from;
  std::size_t gone = 0;
  for (; !from && gone < passed.size(); ++gone) {
    const Tenant& tenant = *passed[gone].tenant;
    promised.remove(tenant.queue, flavor, tenant.total);
    if (!cycle.kept_quota.stops(promised, shape, flavor)) from = passed[gone].gone;
  }
  while (gone > 0) {
    const Tenant& tenant = *passed[--gone].tenant;
    promised.add(tenant.queue, flavor, tenant.total);
  }
  return from;
}

}  // namespace ym::engine
