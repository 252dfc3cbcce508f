#include "engine/explain/machine_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/explain/reasons.h"

namespace ym::engine {
namespace {

std::int64_t whole(std::size_t count) { return static_cast<std::int64_t>(count); }

std::optional<Amount> gpus_per_node(const Shape& shape) {
  const auto gpus = shape.task[ResourceKind::gpus];
  return gpus > 0 && shape.nodes > 1 ? std::optional(amount(ResourceKind::gpus, gpus)) : std::nullopt;
}

// The unit in which a kind is counted for a task. GPUs count in slices or as a share if the task asks for these.
class Counting {
 public:
  Counting(const Inputs& in, const Task& task, ResourceKind kind) : of_{.kind = kind} {
    if (kind != ResourceKind::gpus) return;
    if (task.part.milli > 0) of_.as = Counted::As::share;
    if (task.profile == kNone) return;
    of_ = {.kind = kind, .as = Counted::As::slices, .profile = in.state.inventory.profile_names[task.profile]};
    each_ = task[ResourceKind::gpus] / task.devices;
  }

  const Counted& of() const { return of_; }
  Amount operator()(std::int64_t value) const {
    return of_.as == Counted::As::slices ? Amount{value / each_} : amount(of_.kind, value);
  }

 private:
  Counted of_;
  std::int64_t each_ = 1;  // of a slice
};

// For a gang the reason counts nodes. For a job of one node it counts what that node has too little of.
Reason waiting_for_capacity(const Inputs& in, const Shape& shape, const std::string& flavor, const FreeNow& free) {
  const auto scarce =
      std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return shape.task[kind] > free.total[kind]; });
  if (shape.nodes > 1 || scarce == kKindsByWeight.end())
    return {NodesInUse{.flavor = flavor,
                       .place = level_of(in, shape),
                       .needed = shape.nodes,
                       .free = whole(free.fitting),
                       .gpus_per_node = gpus_per_node(shape),
                       .drained = whole(free.drained)}};
  const Counting counting(in, shape.task, *scarce);
  return {ResourceInUse{.flavor = flavor,
                        .of = counting.of(),
                        .needed = counting(shape.task[*scarce]),
                        .free = counting(free.total[*scarce]),
                        .drained = whole(free.drained)}};
}

Reason resource_apart(const Inputs& in, const Shape& shape, const std::string& flavor, const FreeNow& free,
                      ResourceKind torn) {
  const Counting counting(in, shape.task, torn);
  ResourceApart apart{.flavor = flavor,
                      .place = level_of(in, shape),
                      .of = counting.of(),
                      .needed = counting(shape.total()[torn]),
                      .free = counting(free.total[torn]),
                      .largest = counting(free.largest[torn]),
                      .nodes_needed = {},
                      .nodes_free = {}};
  if (shape.nodes > 1) {
    apart.nodes_needed = shape.nodes;
    apart.nodes_free = whole(free.fitting);
  }
  return {std::move(apart)};
}

Reason fragmented(const Inputs& in, const Shape& shape, const std::string& flavor, const FreeNow& free) {
  const auto torn =
      std::ranges::find_if(kKindsByWeight, [&](ResourceKind kind) { return free.enough[kind] < shape.nodes; });
  if (torn != kKindsByWeight.end()) return resource_apart(in, shape, flavor, free, *torn);
  if (const auto memory = shape.task.part.memory; memory > free.largest_gpu_memory)
    return {GpuMemoryApart{
        .flavor = flavor, .needed = {memory, Unit::bytes}, .largest = {free.largest_gpu_memory, Unit::bytes}}};
  // Each kind alone has enough places, but not together.
  return {
      NodesApart{.flavor = flavor, .place = level_of(in, shape), .needed = shape.nodes, .free = whole(free.fitting)}};
}

// "group 2", "groups 1 and 3", "the anchor"; empty: it is all of the job.
std::string names_of(const Inputs& in, const Shape& shape, const Flavors& flavors,
                     const std::vector<PartIndex>& parts) {
  if (shape.parts(flavors) == 1) return {};
  const auto name = [&](PartIndex part) {
    if (!shape.groups.empty()) return std::to_string(part.value + 1);
    return std::string(part == PartIndex{0} ? "the anchor" : "the others");
  };
  std::string names = shape.groups.empty() ? "" : parts.size() == 1 ? "group " : "groups ";
  for (std::size_t i = 0; i < parts.size(); ++i)
    names += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + name(parts[i]);
  const std::string& flavor = in.state.inventory.flavor_names[flavors.of(parts.front())];
  return parts.size() == 1 && flavor != kDefaultFlavor ? fmt::format("{} (flavor {})", names, flavor) : names;
}

}  // namespace

std::string level_of(const Inputs& in, const Shape& shape) {
  const Topology& topology = in.state.inventory.topology;
  const Levels& levels = shape.levels;
  std::string level = levels.required == kNone ? "" : topology.name(levels.required);
  if (levels.slice == kNone) return level;
  return fmt::format("{}, each {} of one {}", level.empty() ? "cluster" : level, levels.slice_nodes,
                     topology.name(levels.slice));
}

AskedNodes asked_nodes(const Shape& shape, const Hardware& hardware, std::string flavor) {
  return {.flavor = std::move(flavor),
          .queue = {},
          .needed = shape.nodes,
          .possible = whole(hardware.possible),
          .matching = whole(hardware.matching),
          .gpus_per_node = gpus_per_node(shape)};
}

Reason too_few_nodes(const Inputs& in, const Shape& shape, FlavorIndex flavor, const Hardware& hardware) {
  return {TooFewNodes{.nodes = asked_nodes(shape, hardware, in.state.inventory.flavor_names[flavor]),
                      .place = level_of(in, shape)}};
}

Reason nodes_too_small(const Inputs& in, const Shape& shape, ResourceKind kind, NodesTooSmall of_which,
                       std::int64_t largest) {
  const Counting counting(in, shape.task, kind);
  of_which.of = counting.of();
  of_which.needed = counting(shape.task[kind]);
  of_which.largest = counting(largest);
  return {std::move(of_which)};
}

Reason no_node_has_all_kinds(const Shape& shape, std::string flavor) {
  const auto of = [&](ResourceKind kind) {
    return shape.task[kind] > 0 ? std::optional(amount(kind, shape.task[kind])) : std::nullopt;
  };
  return {NoNodeHasAllKinds{.flavor = std::move(flavor),
                            .gpus = of(ResourceKind::gpus),
                            .cpus = of(ResourceKind::cpus),
                            .memory = of(ResourceKind::memory)}};
}

Reason lacking(const Inputs& in, const Shape& shape, FlavorIndex flavor, const CapacityFinding& finding) {
  const std::string& name = in.state.inventory.flavor_names[flavor];
  switch (finding.lack) {
    case Lack::cluster:
      return {ClusterUnreachable{.flavor = name, .needed = shape.nodes, .unavailable = whole(finding.unavailable)}};
    case Lack::capacity: return waiting_for_capacity(in, shape, name, finding.free);
    case Lack::nothing:
    case Lack::whole_places: break;
  }
  return fragmented(in, shape, name, finding.free);
}

Reason not_together(const Inputs& in, const Shape& shape, const Flavors& flavors) {
  std::string flavor = in.state.inventory.name_of(flavors);
  std::string place = level_of(in, shape);
  if (shape.groups.empty())
    return {AnchorApart{.flavor = std::move(flavor),
                        .place = std::move(place),
                        .anchor = shape.anchor,
                        .others = shape.nodes - shape.anchor}};
  return {GroupsApart{.flavor = std::move(flavor),
                      .place = std::move(place),
                      .groups = whole(shape.groups.size()),
                      .needed = shape.nodes}};
}

Reason never_together(const Inputs& in, const Shape& shape, const Flavors& flavors) {
  PartsNeverTogether reason{.flavor = in.state.inventory.name_of(flavors),
                            .place = level_of(in, shape),
                            .lacking = {},
                            .needed = whole(flavors.parts()),
                            .nodes_needed = {},
                            .nodes_possible = {}};
  if (const auto lack = too_few(in.state.inventory, shape, flavors)) {
    reason.lacking = names_of(in, shape, flavors, lack->parts);
    reason.nodes_needed = whole(lack->needed);
    reason.nodes_possible = whole(lack->possible);
  }
  return {std::move(reason)};
}

Reason excludes_too_much(const Inputs& in, const Shape& shape, const Flavors& flavors, const TooFew& lack) {
  return {TooManyExcluded{.flavor = in.state.inventory.name_of(flavors),
                          .place = level_of(in, shape),
                          .parts = names_of(in, shape, flavors, lack.parts),
                          .needed = whole(lack.needed),
                          .possible = whole(lack.possible),
                          .excluded = whole(lack.excluded)}};
}

Reason not_there_yet(const Inputs& in, const Shape& shape, const Flavors& flavors) {
  const FlavorIndex flavor = flavors.each().front();
  return {NodesNotMadeYet{.flavor = in.state.inventory.flavor_names[flavor],
                          .needed = shape.nodes,
                          .most = in.state.inventory.elastic(flavor)->elastic->max_nodes,
                          .gpus_per_node = gpus_per_node(shape)}};
}

Reason provisioning(const Inputs& in, const Provisioned& provisioned) {
  return {NodesAreMade{.flavor = in.state.inventory.flavor_names[provisioned.flavor],
                       .nodes = provisioned.nodes,
                       .since = provisioned.since,
                       .until = provisioned.ready}};
}

Reason no_anchor(const Inputs& in, const Shape& shape) {
  return {NoAnchor{.queue = in.state.queue_names[shape.queue], .needed = shape.anchor}};
}

}  // namespace ym::engine
