#include "engine/explain/quota_keepers.h"

#include <algorithm>

#include "engine/cycle/order/age.h"
#include "engine/quota/demand.h"

namespace ym::engine {

QuotaKeepers::QuotaKeepers(Cycle& cycle)
    : cycle_(cycle), kept_(cycle.in.state.queue_names.size(), cycle.in.state.inventory.flavor_names.size()) {
  cycle.tried.trial.release_claims();
}

void QuotaKeepers::pass(Rank rank) {
  if (!cycle_.in.policy.place_phase || !cycle_.in.policy.quota_phase) return;
  if (!cycle_.is_open(rank) || !is_old(cycle_.in, cycle_.entry(rank)) || is_barred(cycle_, rank)) return;
  const Shape& shape = cycle_.shape(rank);
  for (const Option& option : cycle_.shape_cache(rank).options) {
    if (!keeps_all(cycle_, rank, option)) continue;
    if (kept_.stops(tree(), shape, option.flavors)) kept_.keep(tree(), shape, option.flavors, rank);
    else if (asks_for_any(tree(), shape, option.flavors)) claim(shape, option.flavors, rank);
    version_ += 1;
  }
}

void QuotaKeepers::claim(const Shape& shape, const Flavors& flavors, Rank by) {
  const QuotaTree& before = cycle_.in.state.quota;
  if (claimed_by_.empty()) with_claims_ = before;
  for (const FlavorIndex flavor : flavors.each()) {
    with_claims_.add(shape.queue, flavor, shape.in(flavors, flavor));
    for (QueueIndex queue = shape.queue; queue != kNone; queue = before.parent(queue))
      for (const ResourceKind kind : kKindsByWeight)
        if (with_claims_.usage(queue, flavor, kind) > before.usage(queue, flavor, kind))
          claimed_by_.try_emplace({queue, flavor, kind}, by);
  }
}

Rank QuotaKeepers::first(const Shape& shape, const Flavors& flavors) const {
  Rank first = kept_.keeper(tree(), shape, flavors);
  if (claimed_by_.empty()) return first;
  for_each_ask(tree(), shape, flavors, [&](const Ask& ask) {
    if (ask.amount > tree().available(shape.queue, ask.flavor, ask.kind).amount)
      first = std::min(first, first_claim(shape, ask.flavor, ask.kind));
  });
  return first;
}

Rank QuotaKeepers::first_claim(const Shape& shape, FlavorIndex flavor, ResourceKind kind) const {
  Rank first = kNone;
  for (QueueIndex queue = shape.queue; queue != kNone; queue = cycle_.in.state.quota.parent(queue))
    if (const auto it = claimed_by_.find({queue, flavor, kind}); it != claimed_by_.end())
      first = std::min(first, it->second);
  return first;
}

}  // namespace ym::engine
