// The configuration of a random world: queues with quota, limits and budgets, and advance reservations.
#include <algorithm>
#include <array>

#include "reference/random_world.h"

namespace ym::reference {
namespace {

constexpr std::array<const char*, 3> kFlavors{"a", "b", "default"};

}  // namespace

Quota RandomWorld::quota(ResourceKind kind) {
  const std::int64_t unit = kind == ResourceKind::memory ? kGiB : kMilli;
  Quota quota{.nominal = below(roomy_ ? 6 : 12) * unit, .borrowing_limit = {}, .lending_limit = {}};
  if (one_in(3)) quota.borrowing_limit = below(5) * unit;
  if (one_in(3)) quota.lending_limit = below(6) * unit;
  return quota;
}

RunLimit RandomWorld::run_limit() {
  RunLimit limit;
  if (one_in(2)) limit.jobs = below(4);
  if (!limit.jobs || one_in(2)) limit.gpus_milli = below(8) * kMilli;
  return limit;
}

Budget RandomWorld::budget() {
  const auto unit = one_in(2) ? BudgetUnit::money : BudgetUnit::gpu_hours;
  const std::int64_t whole = unit == BudgetUnit::money ? 1'000'000 : 3'600'000;
  return {.unit = unit, .amount = below(8) * whole / 2, .per = static_cast<BudgetWindow>(below(3))};
}

// `from` and `until` are whole minutes, as in control.
void RandomWorld::add_advance_reservations(Instant now) {
  AdvanceReservation row{.name = "r" + std::to_string(below(3))};
  row.from = {(now.ms / 60'000 + below(90) - 30) * 60'000};
  row.until = row.from + minutes(1 + below(90));
  for (const auto& [name, node] : world_.tables().nodes)
    if (one_in(3)) row.nodes.push_back(name);
  if (one_in(3)) row.users = {one_in(2) ? "ann" : "bob"};
  if (one_in(3)) row.queues = {"q" + std::to_string(below(7))};
  world_.apply(ReservationSet{row});
}

void RandomWorld::set_queue(const std::string& name) {
  Queue queue;
  queue.name = name;
  if (const auto* parent = any(world_.tables().queues); parent && parent->name != name && !one_in(3))
    if (parent->name != kDefaultQueue) queue.parent = parent->name;
  if (one_in(60)) queue.parent = "nowhere";
  queue.preempt = one_in(4) ? PreemptRule::never : one_in(3) ? PreemptRule::any : PreemptRule::lower_priority;
  if (one_in(6)) queue.reclaim = one_in(2) ? PreemptRule::never : PreemptRule::lower_priority;
  if (one_in(4)) queue.preempt_to_borrow = static_cast<std::int32_t>(10 * below(11));
  if (one_in(8)) queue.min_runtime = {.priority = minutes(10), .reclaim = minutes(15)};
  queue.fence = one_in(12);
  if (one_in(4)) queue.weight_milli = 500 * below(5);
  if (one_in(4)) queue.order = static_cast<JobOrder>(below(4));
  queue.fair_users = one_in(4);
  queue.strict = one_in(6);
  if (one_in(4)) queue.when_can_borrow = FlavorSearch::try_next;
  if (one_in(6)) queue.when_can_preempt = FlavorSearch::stop;
  if (one_in(15)) queue.stop = one_in(2) ? StopPolicy::hold : StopPolicy::hold_and_drain;
  if (one_in(4)) queue.reservations = one_in(3) ? kAllReserve : static_cast<std::int32_t>(below(4));
  if (limits_ == Limits::some && one_in(8)) queue.run_limit = run_limit();
  if (limits_ == Limits::some && one_in(8)) queue.user_run_limit = run_limit();
  if (limits_ == Limits::some && one_in(8)) queue.budgets = {budget()};
  if (limits_ == Limits::some && one_in(8)) queue.budgets.push_back(budget());
  if (one_in(3)) queue.service_levels = {minutes(10), hours(2)};
  if (one_in(6)) queue.age_boost = {.every = minutes(5 + below(20)), .most = static_cast<std::int32_t>(below(30))};
  if (aging_ && one_in(4)) queue.age_cap = minutes(30 * static_cast<std::int64_t>(below(3)));
  if (!one_in(3)) {
    queue.quota.emplace();
    auto flavors = kFlavors;
    if (one_in(2)) std::ranges::reverse(flavors);
    for (const char* flavor : flavors) {
      if (one_in(5)) continue;
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
        if (kind == static_cast<std::size_t>(ResourceKind::gpus) ? !one_in(5) : one_in(3))
          (*queue.quota)[flavor][kind] = quota(resource_kind(kind));
        else (*queue.quota)[flavor];
    }
  }
  world_.apply(QueueSet{queue});
}

}  // namespace ym::reference
