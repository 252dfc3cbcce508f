#include "engine/explain/machine_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/explain/reasons.h"

namespace ym::engine {
namespace {

Number nodes_of(const Shape& shape, std::string_view name = "needed") { return {.name = name, .value = shape.nodes}; }

// Within one domain of which all of it has to be; empty: within one cluster.
std::string level_of(const Cycle& cycle, const Shape& shape) {
  const Topology& topology = cycle.state.inventory.topology;
  const Levels& levels = shape.levels;
  std::string level = levels.required == kNone ? "" : topology.name(levels.required);
  if (levels.slice == kNone) return level;
  return fmt::format("{}, each {} of one {}", level.empty() ? "cluster" : level, levels.slice_nodes,
                     topology.name(levels.slice));
}

void add_gpus_per_node(Reason& reason, const Shape& shape) {
  if (const auto gpus = shape.task[ResourceKind::gpus]; gpus > 0 && shape.nodes > 1)
    reason.numbers.push_back(amount("gpus_per_node", ResourceKind::gpus, gpus));
}

// A gang counts nodes; a job of one node counts what that node has too little of.
Reason waiting_for_capacity(const Shape& shape, const FreeNow& free) {
  Reason reason{.code = ReasonCode::waiting_for_capacity, .wake = Wake::capacity};
  const auto scarce =
      std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return shape.task[kind] > free.total[kind]; });
  if (shape.nodes == 1 && scarce != kKindsByWeight.end()) {
    reason.resource = to_string(*scarce);
    reason.numbers = {amount("needed", *scarce, shape.task[*scarce]), amount("free", *scarce, free.total[*scarce])};
  } else {
    reason.resource = "nodes";
    reason.numbers = {nodes_of(shape), count("free", free.fitting)};
    add_gpus_per_node(reason, shape);
  }
  if (free.drained > 0) reason.numbers.push_back(count("drained", free.drained));
  return reason;
}

Reason fragmented(const Shape& shape, const FreeNow& free) {
  Reason reason{.code = ReasonCode::fragmented, .wake = Wake::capacity};
  const auto torn =
      std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return free.enough[kind] < shape.nodes; });
  if (torn == kKindsByWeight.end()) {
    if (const auto memory = shape.task.part.memory; memory > free.largest_gpu_memory) {
      reason.resource = "gpu_memory";
      reason.numbers = {{.name = "needed", .value = memory, .unit = Unit::bytes},
                        {.name = "largest", .value = free.largest_gpu_memory, .unit = Unit::bytes}};
      return reason;
    }
    // Each kind alone has its places, but they do not coincide.
    reason.resource = "nodes";
    reason.numbers = {nodes_of(shape), count("free", free.fitting)};
    return reason;
  }
  reason.resource = to_string(*torn);
  reason.numbers = {amount("needed", *torn, shape.total()[*torn]), amount("free", *torn, free.total[*torn]),
                    amount("largest", *torn, free.largest[*torn])};
  if (shape.nodes > 1) {
    reason.numbers.push_back(nodes_of(shape, "nodes_needed"));
    reason.numbers.push_back(count("nodes_free", free.fitting));
  }
  return reason;
}

// "group 2", "groups 1 and 3", "the anchor"; empty: it is all of the job.
std::string names_of(const Cycle& cycle, const Shape& shape, const Flavors& flavors,
                     const std::vector<std::size_t>& parts) {
  if (shape.parts(flavors) == 1) return {};
  const auto name = [&](std::size_t part) {
    if (!shape.groups.empty()) return std::to_string(part + 1);
    return std::string(part == 0 ? "the anchor" : "the others");
  };
  std::string names = shape.groups.empty() ? "" : parts.size() == 1 ? "group " : "groups ";
  for (std::size_t i = 0; i < parts.size(); ++i)
    names += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + name(parts[i]);
  const std::string& flavor = cycle.state.inventory.flavor_names[flavors.of(parts.front())];
  return parts.size() == 1 && flavor != kDefaultFlavor ? fmt::format("{} (flavor {})", names, flavor) : names;
}

}  // namespace

std::vector<Number> each_kind(const Shape& shape) {
  constexpr std::array kNames{std::pair(ResourceKind::gpus, "gpus"), std::pair(ResourceKind::cpus, "cpus"),
                              std::pair(ResourceKind::memory, "memory")};
  std::vector<Number> numbers;
  for (const auto& [kind, name] : kNames)
    if (shape.task[kind] > 0) numbers.push_back(amount(name, kind, shape.task[kind]));
  return numbers;
}

Reason exceeds_capacity(const Cycle& cycle, const Shape& shape, const Hardware& hardware) {
  Reason reason{
      .code = ReasonCode::exceeds_capacity,
      .resource = "nodes",
      .wanted = level_of(cycle, shape),
      .numbers = {nodes_of(shape), count("possible", hardware.possible), count("matching", hardware.matching)},
      .wake = Wake::configuration};
  add_gpus_per_node(reason, shape);
  return reason;
}

void count_parts(const Cycle& cycle, const Shape& shape, Reason& reason) {
  const Task& task = shape.task;
  if (reason.resource != to_string(ResourceKind::gpus)) return;
  if (task.part.milli > 0) reason.resource = "gpu_share";
  if (task.profile == kNone) return;
  reason.resource = "mig:" + cycle.state.inventory.profile_names[task.profile];
  const std::int64_t each = task[ResourceKind::gpus] / task.devices;
  for (Number& number : reason.numbers)
    if (number.unit == Unit::thousandths) number = {.name = number.name, .value = number.value / each};
}

Reason lacking(const Cycle& cycle, const Shape& shape, Index flavor, const CapacityFinding& finding) {
  Reason reason;
  if (finding.lack == Lack::cluster)
    reason = {.code = ReasonCode::cluster_unavailable,
              .resource = "nodes",
              .numbers = {nodes_of(shape), count("unavailable", finding.unavailable)},
              .wake = Wake::configuration};
  else if (finding.lack == Lack::capacity) reason = waiting_for_capacity(shape, finding.free);
  else reason = fragmented(shape, finding.free);
  reason.flavor = cycle.state.inventory.flavor_names[flavor];
  reason.wanted = level_of(cycle, shape);
  count_parts(cycle, shape, reason);
  return reason;
}

Reason not_together(const Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  Reason reason{.code = ReasonCode::fragmented,
                .resource = "anchor",
                .flavor = cycle.state.inventory.name_of(flavors),
                .wanted = level_of(cycle, shape),
                .wake = Wake::capacity};
  reason.numbers = {{.name = "anchor", .value = shape.anchor}, {.name = "others", .value = shape.nodes - shape.anchor}};
  if (shape.groups.empty()) return reason;
  reason.resource = "groups";
  reason.numbers = {count("groups", shape.groups.size()), nodes_of(shape)};
  return reason;
}

Reason never_together(const Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  Reason reason{.code = ReasonCode::exceeds_capacity,
                .resource = "parts",
                .flavor = cycle.state.inventory.name_of(flavors),
                .wanted = level_of(cycle, shape),
                .numbers = {count("needed", flavors.parts())},
                .wake = Wake::configuration};
  if (const auto lack = too_few(cycle.state.inventory, shape, flavors)) {
    reason.offered = names_of(cycle, shape, flavors, lack->parts);
    reason.numbers.push_back(count("nodes_needed", lack->needed));
    reason.numbers.push_back(count("nodes_possible", lack->possible));
  }
  return reason;
}

Reason excludes_too_much(const Cycle& cycle, const Shape& shape, const Flavors& flavors, const TooFew& lack) {
  return {.code = ReasonCode::exceeds_capacity,
          .resource = "exclude",
          .flavor = cycle.state.inventory.name_of(flavors),
          .wanted = level_of(cycle, shape),
          .offered = names_of(cycle, shape, flavors, lack.parts),
          .numbers = {count("needed", lack.needed), count("possible", lack.possible), count("excluded", lack.excluded)},
          .wake = Wake::configuration};
}

Reason not_there_yet(const Cycle& cycle, const Shape& shape, const Flavors& flavors) {
  const Index flavor = flavors.each().front();
  Reason reason{.code = ReasonCode::waiting_for_capacity,
                .resource = "nodes",
                .flavor = cycle.state.inventory.flavor_names[flavor],
                .numbers = {nodes_of(shape),
                            {.name = "free", .value = 0},
                            {.name = "most", .value = cycle.state.inventory.elastic(flavor)->elastic->max_nodes}},
                .wake = Wake::capacity};
  add_gpus_per_node(reason, shape);
  return reason;
}

Reason provisioning(const Cycle& cycle, const Provided& provided) {
  return {.code = ReasonCode::provisioning,
          .resource = "nodes",
          .flavor = cycle.state.inventory.flavor_names[provided.flavor],
          .numbers = {{.name = "nodes", .value = provided.nodes},
                      {.name = "since_ms", .value = provided.since.ms},
                      {.name = "until_ms", .value = provided.ready.ms}},
          .wake = Wake::capacity};
}

Reason no_anchor(const Cycle& cycle, const Shape& shape) {
  return {.code = ReasonCode::exceeds_capacity,
          .resource = "anchor",
          .queue = cycle.state.queue_names[shape.queue],
          .numbers = {count("needed", static_cast<std::size_t>(shape.anchor))},
          .wake = Wake::configuration};
}

}  // namespace ym::engine
