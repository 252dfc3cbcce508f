#include "engine/explain/reasons.h"

#include <algorithm>

namespace ym::engine {
namespace {

std::int64_t unit(ResourceKind kind) { return kind == ResourceKind::memory ? 1 : kMilli; }
std::int64_t up(ResourceKind kind, std::int64_t amount) { return (amount + unit(kind) - 1) / unit(kind); }
std::int64_t down(ResourceKind kind, std::int64_t amount) { return std::max<std::int64_t>(0, amount) / unit(kind); }
std::int64_t count(std::size_t n) { return static_cast<std::int64_t>(n); }

const std::string& flavor_name(const Cycle& cycle, Index flavor) { return cycle.state.inventory.flavor_names[flavor]; }

// The dearest kind that the shape asks for.
ResourceKind main_kind(const Shape& shape) {
  const auto asked = std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return shape.task[kind] > 0; });
  return asked == kKindsByWeight.end() ? ResourceKind::cpus : *asked;
}

void add_gpus_per_node(Reason& reason, const Shape& shape) {
  if (const auto gpus = shape.task[ResourceKind::gpus]; gpus > 0 && shape.nodes > 1)
    reason.numbers.emplace_back("gpus_per_node", up(ResourceKind::gpus, gpus));
}

// A gang counts nodes; a job of one node counts what that node has too little of.
Reason waiting_for_capacity(const Shape& shape, const FreeNow& free) {
  Reason reason{.code = ReasonCode::waiting_for_capacity, .wake = Wake::capacity};
  const auto scarce =
      std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return shape.task[kind] > free.total[kind]; });
  if (shape.nodes == 1 && scarce != kKindsByWeight.end()) {
    reason.resource = to_string(*scarce);
    reason.numbers = {{"needed", up(*scarce, shape.task[*scarce])}, {"free", down(*scarce, free.total[*scarce])}};
  } else {
    reason.resource = "nodes";
    reason.numbers = {{"needed", shape.nodes}, {"free", count(free.fitting)}};
    add_gpus_per_node(reason, shape);
  }
  if (free.drained > 0) reason.numbers.emplace_back("drained", count(free.drained));
  return reason;
}

Reason fragmented(const Shape& shape, const FreeNow& free) {
  Reason reason{.code = ReasonCode::fragmented, .wake = Wake::capacity};
  const auto torn =
      std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return free.enough[kind] < shape.nodes; });
  if (torn == kKindsByWeight.end()) {
    // Each kind alone has its places, but they do not coincide.
    reason.resource = "nodes";
    reason.numbers = {{"needed", shape.nodes}, {"free", count(free.fitting)}};
    return reason;
  }
  reason.resource = to_string(*torn);
  reason.numbers = {{"needed", up(*torn, shape.total()[*torn])},
                    {"free", down(*torn, free.total[*torn])},
                    {"largest", down(*torn, free.largest[*torn])}};
  if (shape.nodes > 1) {
    reason.numbers.emplace_back("nodes_needed", shape.nodes);
    reason.numbers.emplace_back("nodes_free", count(free.fitting));
  }
  return reason;
}

}  // namespace

Reason held() { return {.code = ReasonCode::held, .wake = Wake::user}; }

Reason backoff(Instant until) {
  return {.code = ReasonCode::backoff, .numbers = {{"until_ms", until.ms}}, .wake = Wake::time};
}

Reason misconfigured(const Cycle& cycle, Index queue) {
  const QueueFault fault = cycle.state.quota.fault(queue);
  const std::string_view what = fault == QueueFault::is_cohort   ? "children"
                                : fault == QueueFault::no_parent ? "parent"
                                : fault == QueueFault::loop      ? "loop"
                                                                 : "queue";
  return {.code = ReasonCode::misconfigured,
          .resource = std::string(what),
          .queue = cycle.state.queue_names[queue],
          .wake = Wake::configuration};
}

Reason exceeds_max_quota(const Cycle& cycle, Index flavor, const Shortage& shortage) {
  return {
      .code = ReasonCode::exceeds_max_quota,
      .resource = std::string(to_string(shortage.kind)),
      .flavor = flavor_name(cycle, flavor),
      .queue = cycle.state.queue_names[shortage.bound.queue],
      .numbers = {{"needed", up(shortage.kind, shortage.needed)}, {"max", down(shortage.kind, shortage.bound.amount)}},
      .wake = Wake::configuration};
}

Reason no_flavor(const Cycle& cycle, const Shape& shape) {
  const ResourceKind kind = main_kind(shape);
  return {.code = ReasonCode::exceeds_max_quota,
          .resource = std::string(to_string(kind)),
          .queue = cycle.state.queue_names[shape.queue],
          .numbers = {{"needed", up(kind, shape.total()[kind])}, {"max", 0}},
          .wake = Wake::configuration};
}

Reason exceeds_capacity(const Cycle& cycle, const Shape& shape, Index flavor, const Hardware& hardware) {
  Reason reason{.code = ReasonCode::exceeds_capacity,
                .resource = "nodes",
                .flavor = flavor_name(cycle, flavor),
                .numbers = {{"needed", shape.nodes},
                            {"possible", count(hardware.possible)},
                            {"matching", count(hardware.matching)}},
                .wake = Wake::configuration};
  add_gpus_per_node(reason, shape);
  return reason;
}

Reason waiting_for_quota(const Cycle& cycle, Index flavor, const Shortage& shortage) {
  const ResourceKind kind = shortage.kind;
  const QuotaTree& quota = cycle.state.quota;
  return {.code = ReasonCode::waiting_for_quota,
          .resource = std::string(to_string(kind)),
          .flavor = flavor_name(cycle, flavor),
          .queue = cycle.state.queue_names[shortage.bound.queue],
          .numbers = {{"needed", up(kind, shortage.needed)},
                      {"available", down(kind, shortage.bound.amount)},
                      {"used", up(kind, quota.usage(shortage.bound.queue, flavor, kind))},
                      {"nominal", down(kind, quota.subtree(shortage.bound.queue, flavor, kind))}},
          .wake = Wake::quota};
}

Reason behind(const Cycle& cycle, Index flavor, Rank keeper) {
  return {.code = ReasonCode::priority,
          .flavor = flavor_name(cycle, flavor),
          .blocker = cycle.job(keeper).id,
          .wake = Wake::order};
}

Reason lacking(const Cycle& cycle, const Shape& shape, Index flavor, const CapacityFinding& finding) {
  Reason reason;
  if (finding.lack == Lack::cluster)
    reason = {.code = ReasonCode::cluster_unavailable,
              .resource = "nodes",
              .numbers = {{"needed", shape.nodes}, {"unavailable", count(finding.unavailable)}},
              .wake = Wake::configuration};
  else if (finding.lack == Lack::capacity) reason = waiting_for_capacity(shape, finding.free);
  else reason = fragmented(shape, finding.free);
  reason.flavor = flavor_name(cycle, flavor);
  return reason;
}

}  // namespace ym::engine
