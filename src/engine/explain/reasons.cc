#include "engine/explain/reasons.h"

#include <algorithm>

namespace ym::engine {
namespace {

// What is less than nothing is nothing to whoever reads it.
Number what_is_there(std::string_view name, ResourceKind kind, std::int64_t value) {
  return amount(name, kind, std::max<std::int64_t>(0, value));
}

std::string flavor_name(const Cycle& cycle, const Flavors& flavors) { return cycle.state.inventory.name_of(flavors); }

// The dearest kind that the shape asks for.
ResourceKind main_kind(const Shape& shape) {
  const ResourceVector total = shape.total();
  const auto asked = std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return total[kind] > 0; });
  return asked == kKindsByWeight.end() ? ResourceKind::cpus : *asked;
}

}  // namespace

Number count(std::string_view name, std::size_t n) { return {.name = name, .value = static_cast<std::int64_t>(n)}; }

Number amount(std::string_view name, ResourceKind kind, std::int64_t value) {
  return {.name = name, .value = value, .unit = kind == ResourceKind::memory ? Unit::bytes : Unit::thousandths};
}

Reason held() { return {.code = ReasonCode::held, .wake = Wake::user}; }

Reason queue_held(const Cycle& cycle, Index queue) {
  return {.code = ReasonCode::held,
          .queue = cycle.state.queue_names[cycle.state.stops.held_by(queue)],
          .wake = Wake::configuration};
}

Reason backoff(Instant until) {
  return {.code = ReasonCode::backoff, .numbers = {{"until_ms", until.ms}}, .wake = Wake::time};
}

Reason misconfigured(const Cycle& cycle, Index queue) {
  const QueueFault fault = cycle.state.quota.fault(queue);
  const std::string_view what = fault == QueueFault::is_cohort     ? "children"
                                : fault == QueueFault::no_parent   ? "parent"
                                : fault == QueueFault::loop        ? "loop"
                                : fault == QueueFault::below_fault ? "above"
                                                                   : "queue";
  return {.code = ReasonCode::misconfigured,
          .resource = std::string(what),
          .queue = cycle.state.queue_names[queue],
          .wake = Wake::configuration};
}

Reason exceeds_max_quota(const Cycle& cycle, const Shortage& shortage) {
  return {.code = ReasonCode::exceeds_max_quota,
          .resource = std::string(to_string(shortage.kind)),
          .flavor = flavor_name(cycle, shortage.flavor),
          .queue = cycle.state.queue_names[shortage.bound.queue],
          .numbers = {amount("needed", shortage.kind, shortage.needed),
                      what_is_there("max", shortage.kind, shortage.bound.amount)},
          .wake = Wake::configuration};
}

Reason no_flavor(const Cycle& cycle, const Shape& shape) {
  const ResourceKind kind = main_kind(shape);
  return {.code = ReasonCode::exceeds_max_quota,
          .resource = std::string(to_string(kind)),
          .queue = cycle.state.queue_names[shape.queue],
          .numbers = {amount("needed", kind, shape.total()[kind]), amount("max", kind, 0)},
          .wake = Wake::configuration};
}

Reason waiting_for_quota(const Cycle& cycle, const QuotaTree& quota, const Shortage& shortage) {
  const Index flavor = shortage.flavor;
  const ResourceKind kind = shortage.kind;
  const Index queue = shortage.bound.queue;
  Reason reason{
      .code = ReasonCode::waiting_for_quota,
      .resource = std::string(to_string(kind)),
      .flavor = flavor_name(cycle, flavor),
      .queue = cycle.state.queue_names[queue],
      .numbers = {amount("needed", kind, shortage.needed), what_is_there("available", kind, shortage.bound.amount),
                  amount("used", kind, quota.usage(queue, flavor, kind)),
                  amount("nominal", kind, quota.subtree(queue, flavor, kind))},
      .wake = Wake::quota};
  if (const auto borrow = quota.borrowing_limit(queue, flavor, kind); borrow && quota.parent(queue) != kNone)
    reason.numbers.push_back(amount("borrow", kind, *borrow));
  return reason;
}

RoomMade room_for(const Cycle& cycle, JobId job) {
  if (const auto made = cycle.made_room.find(job); made != cycle.made_room.end()) return made->second;
  const HeldPlace& held = *cycle.state.holds.find(job);
  const auto still_there = std::ranges::count_if(held.victims, [&](JobId victim) {
    const LiveAttempt* attempt = cycle.state.live.find(victim);
    return attempt && attempt->yields_to == job;
  });
  return {.stopping = static_cast<std::size_t>(still_there), .until = held.expires_at};
}

Reason preemption_pending(const RoomMade& room) {
  return {.code = ReasonCode::preemption_pending,
          .resource = "jobs",
          .numbers = {count("stopping", room.stopping), {"until_ms", room.until.ms}},
          .wake = Wake::capacity};
}

Reason behind(const Cycle& cycle, const Flavors& flavors, Rank keeper) {
  return {.code = ReasonCode::priority,
          .flavor = flavor_name(cycle, flavors),
          .blocker = cycle.job(keeper).id,
          .wake = Wake::order};
}

Reason behind_head(const Cycle& cycle, Index head) {
  const JobRow& job = cycle.state.jobs[head];
  return {.code = ReasonCode::priority,
          .queue = cycle.state.queue_names[cycle.state.shape_of(job).queue],
          .blocker = job.id,
          .wake = Wake::order};
}

Reason limit_reached(const Cycle& cycle, Rank rank, const LimitHit& hit) {
  const auto number = [&](std::string_view name, std::int64_t value) {
    return hit.of_gpus ? amount(name, ResourceKind::gpus, value) : Number{.name = name, .value = value};
  };
  return {.code = ReasonCode::limit_reached,
          .resource = hit.of_gpus ? "gpus" : "jobs",
          .queue = cycle.state.queue_names[hit.queue],
          .wanted = hit.of_user ? cycle.state.user_names[cycle.job(rank).user] : "",
          .numbers = {number("needed", hit.needed), number("used", hit.used), number("max", hit.most)},
          .wake = Wake::capacity};
}

Reason array_limited(const Cycle& cycle, Index array) {
  const RunLimits::Array& limit = cycle.state.limits.arrays()[array];
  return {.code = ReasonCode::limit_reached,
          .resource = "array",
          .wanted = to_string(limit.group),
          .numbers = {{.name = "needed", .value = 1},
                      {.name = "used", .value = limit.use},
                      {.name = "max", .value = limit.most}},
          .wake = Wake::capacity};
}

Reason reserved(const Cycle& cycle, const Flavors& flavors, const Booking& booking) {
  return {.code = ReasonCode::reserved,
          .flavor = flavor_name(cycle, flavors),
          .blocker = booking.holder.id,
          .numbers = {{"from_ms", cycle.reservations.calendar().instant_of(booking.from).ms}},
          .wake = Wake::capacity};
}

Reason set_aside(const Cycle& cycle, Index flavor, const AdvanceReservation& window) {
  return {.code = ReasonCode::reserved,
          .resource = "nodes",
          .flavor = flavor_name(cycle, flavor),
          .wanted = window.name,
          .numbers = {{"from_ms", window.from.ms}, {"until_ms", window.until.ms}},
          .wake = Wake::time};
}

Reason budget_exhausted(const Cycle& cycle, Rank rank, const OverBudget& over) {
  const BudgetHit& hit = *over.first;
  Reason reason{.code = ReasonCode::budget_exhausted,
                .resource = std::string(to_string(hit.budget.unit)),
                .flavor = over.everywhere ? "" : flavor_name(cycle, over.flavors),
                .queue = cycle.state.queue_names[hit.queue],
                .wanted = std::string(to_string(hit.budget.per)),
                .numbers = {},
                .wake = Wake::time};
  // Thousandths of GPU-hours, or of the currency's unit.
  const auto number = [&](std::string_view name, std::int64_t value) {
    const std::int64_t unit = hit.budget.unit == BudgetUnit::gpu_hours ? hours(1).ms / kMilli : kMilli;
    reason.numbers.push_back({.name = name, .value = value / unit, .unit = Unit::thousandths});
  };
  if (cycle.job(rank).time_limit) number("needed", hit.needed);
  number("used", hit.used);
  number("budget", hit.budget.amount);
  // What is more than all of it is so in the next window too.
  if (hit.needed <= hit.budget.amount || !cycle.job(rank).time_limit)
    reason.numbers.push_back({.name = "until_ms", .value = instant_of_day(window_end(hit.budget.per, cycle.now)).ms});
  return reason;
}

}  // namespace ym::engine
