// Which nodes that do not exist yet are asked for, and for whom.
//
// Those who wait for machines are counted in their order, each in the first of its flavors that is elastic and for
// which it has quota: what quota, a limit or a budget holds back is no reason to make nodes, and neither is a job that
// has a place, or is promised one, before a new node could be there. What is counted is charged for those behind it, so
// that no more is made than may be used. The number of nodes is one for all, absolute, and found anew in each cycle: a
// lost message or a restart changes nothing, and a node that comes changes it neither.
//
// After the autoscalers of clusters, which look at pods that cannot be placed; here quota has been looked at before.
#include "engine/cycle/provide.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "engine/cycle/reserve.h"
#include "engine/cycle/stock.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

class Provider {
 public:
  explicit Provider(Cycle& cycle) : cycle_(cycle), limits_(cycle.state.limits), budgets_(cycle.state.budgets) {
    for (const Index flavor : cycle.state.inventory.flavors())
      if (cycle.state.inventory.elastic(flavor)) stocks_.try_emplace(flavor, cycle, flavor);
    for (const Change& change : cycle.state.trial)
      if (const auto* claim = std::get_if<Claim>(&change)) claimants_.insert(claim->job);
    for (const Booking& booking : cycle.reservations.all()) bookings_.emplace(booking.slot, &booking);
  }

  void consider(Rank rank) {
    if (cycle_.standing[rank] != Standing::open || cycle_.head_before(rank) != kNone) return;
    // Who is alike has found nothing.
    if (refused_.contains(cycle_.order[rank].shape)) return;
    for (const Option& option : cycle_.case_of(rank).options) {
      const auto stock = option.within_max && option.flavors.each().size() == 1
                             ? stocks_.find(option.flavors.each().front())
                             : stocks_.end();
      if (stock == stocks_.end()) continue;
      if (begins_before(rank, stock->second.row())) return;
      if (is_held_back(rank, option.flavors)) continue;
      if (!give(rank, option.flavors, stock->second)) continue;
      charge(rank, option.flavors);
      given_.emplace_back(cycle_.order[rank].slot, stock->first);
      return;
    }
    if (!limited_) refused_.insert(cycle_.order[rank].shape);
    limited_ = false;
  }

  void publish() {
    for (auto& [flavor, stock] : stocks_) wanted_[flavor] = wanted_of(stock);
    for (const auto& [slot, flavor] : given_) {
      const Stock& stock = stocks_.at(flavor);
      const WantedNodes& now = stock.row().wanted;
      const Instant since = now.nodes > 0 && now.nodes >= wanted_[flavor] ? now.since : cycle_.now;
      cycle_.provided.emplace(slot, Provided{.flavor = flavor,
                                             .nodes = stock.made(),
                                             .since = since,
                                             .ready = after(since, stock.row().elastic->provisioning)});
    }
    for (const auto& [name, row] : cycle_.state.inventory.flavor_rows()) {
      const Index flavor = cycle_.state.inventory.flavor_names.find(name);
      const auto stock = stocks_.find(flavor);
      const std::int64_t nodes = stock == stocks_.end() ? 0 : wanted_[flavor];
      if (nodes != row.wanted.nodes)
        cycle_.plan.provisions.push_back(
            {.flavor = name, .nodes = nodes, .jobs = stock == stocks_.end() ? 0 : stock->second.jobs()});
    }
  }

 private:
  static std::int64_t wanted_of(const Stock& stock) { return stock.made() == 0 ? 0 : stock.existing() + stock.made(); }

  // Machines that are promised to it come sooner than new ones.
  bool begins_before(Rank rank, const Flavor& flavor) const {
    const auto booking = bookings_.find(cycle_.order[rank].slot);
    if (booking == bookings_.end()) return false;
    const Instant from = cycle_.reservations.calendar().instant_of(booking->second->from) + booking->second->stops;
    return from <= after(cycle_.now, flavor.elastic->provisioning);
  }

  bool is_held_back(Rank rank, const Flavors& flavors) {
    if (!cycle_.policy.quota_phase) return false;
    const Shape& shape = cycle_.shape(rank);
    // What it has claimed itself is not in its way.
    const QuotaTree& quota = claimants_.contains(cycle_.order[rank].slot) ? cycle_.state.quota : cycle_.state.claimed;
    if (short_now(quota, shape, flavors)) return true;
    const Rank keeper = cycle_.kept_quota.any() ? cycle_.kept_quota.keeper(quota, shape, flavors) : kNone;
    if (keeper < rank) return limited_ = true;
    if (limits_.any() && limits_.hit(shape.queue, cycle_.job(rank).user, shape.total()[ResourceKind::gpus]))
      return limited_ = true;
    if (!budgets_.any(shape.queue) || shape.total()[ResourceKind::gpus] == 0) return false;
    if (!budgets_.hit(shape.queue, cost_of(rank, flavors), cycle_.now)) return false;
    return limited_ = true;
  }

  Cost cost_of(Rank rank, const Flavors& flavors) const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto& limit = cycle_.job(rank).time_limit;
    return limit ? cycle_.state.cost_of(cycle_.shape(rank), flavors, *limit) : Cost{kMost, kMost};
  }

  bool give(Rank rank, const Flavors& flavors, Stock& stock) {
    const Shape& shape = cycle_.shape(rank);
    if (!Stock::suits(cycle_.state.inventory, stock.row(), shape, flavors)) return false;
    return stock.give(shape, flavors, cycle_.access(tenure_of(cycle_, rank)));
  }

  void charge(Rank rank, const Flavors& flavors) {
    const Shape& shape = cycle_.shape(rank);
    const Index slot = cycle_.order[rank].slot;
    if (!cycle_.policy.quota_phase) return;
    if (asks_for_any(cycle_.state.quota, shape, flavors) && claimants_.insert(slot).second)
      cycle_.trial.claim({.job = slot, .flavors = flavors});
    if (limits_.any()) limits_.add(shape.queue, cycle_.job(rank).user, shape.total()[ResourceKind::gpus]);
    if (budgets_.any(shape.queue) && cycle_.job(rank).time_limit)
      budgets_.add(shape.queue, kToday, cost_of(rank, flavors));
  }

  Cycle& cycle_;
  std::map<Index, Stock> stocks_;  // by flavor
  RunLimits limits_;               // with those to whom nodes were given
  BudgetBook budgets_;
  std::set<Index> claimants_;                   // slots of those whose quota the trial has claimed
  std::map<Index, const Booking*> bookings_;    // by slot
  std::set<Index> refused_;                     // shapes
  bool limited_ = false;                        // what held it back is not the same for all that are alike
  std::vector<std::pair<Index, Index>> given_;  // slot and flavor
  std::map<Index, std::int64_t> wanted_;        // by flavor
};

}  // namespace

bool could_be_provided(const Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  if (flavors.each().size() != 1) return false;
  const Flavor* row = cycle.state.inventory.elastic(flavors.each().front());
  return row && Stock::suits(cycle.state.inventory, *row, shape, flavors);
}

void provide(Cycle& cycle) {
  if (!cycle.policy.provide_phase || !cycle.policy.place_phase) return;
  // Most sites have none.
  if (std::ranges::none_of(cycle.state.inventory.flavor_rows(),
                           [](const auto& flavor) { return flavor.second.elastic || flavor.second.wanted.nodes > 0; }))
    return;
  Provider provider(cycle);
  for (Rank rank = 0; rank < cycle.considered; ++rank) provider.consider(rank);
  provider.publish();
}

}  // namespace ym::engine
