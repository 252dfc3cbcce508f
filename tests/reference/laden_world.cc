#include "reference/laden_world.h"

#include <utility>

namespace ym::reference {

using testing::kStart;
using testing::World;

namespace {

TaskResources resources_of(const Load& load) {
  TaskResources resources;
  resources.gpus = load.gpu_milli > 0 ? load.gpu_milli : load.gpus * kMilli;
  if (load.gpu_milli > 0) resources.gpu_memory_bytes = kGiB;
  if (load.profile.empty()) return resources;
  resources.profile = load.profile;
  resources.slices = load.gpus;
  resources.gpus = load.gpus * *slice_milli(load.profile);
  return resources;
}

}  // namespace

JobSpec spec_of(const Load& load) {
  JobSpec spec;
  spec.resources = resources_of(load);
  spec.queue = load.queue;
  spec.nodes = load.nodes;
  if (load.most_nodes > 0) spec.min_nodes = std::exchange(spec.nodes, load.most_nodes);
  if (load.others > 0) {
    TaskResources cpus;
    cpus.cpus = 8 * kMilli;
    spec.groups = {{.name = "learners", .nodes = load.nodes, .resources = spec.resources, .run = {}},
                   {.name = "actors", .nodes = load.others, .resources = cpus, .run = {}}};
    spec.nodes = load.nodes + load.others;
  }
  spec.priority = load.priority;
  spec.placement = load.placement;
  spec.time_limit = hours(2);
  return spec;
}

namespace {

Node node_of(std::int64_t i, const Site& site) {
  Node node{.name = "n" + std::to_string(i), .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli};
  node.labels = {{"rack", "r" + std::to_string(i % 4)}, {"market", i % 8 < 4 ? "spot" : "on-demand"}};
  for (const char* id : {"0", "1", "2", "3"}) node.devices.push_back({.id = id, .memory_bytes = 16 * kGiB});
  if (site.slices)
    for (const char* id : {"m0", "m1"}) node.devices.push_back({.id = id, .profile = "1g.10gb"});
  return node;
}

QuotaList gpus(std::int64_t count) {
  return {{"default", {std::nullopt, std::nullopt, Quota{.nominal = count * kMilli}}}};
}

void set_quota(World& world, std::int64_t nodes, const Site& site) {
  if (!site.lent && !site.cut) return;
  world.apply(QueueSet{{.name = "all"}});
  world.apply(QueueSet{{.name = "owner", .parent = "all", .quota = gpus(2 * nodes - (site.cut ? 2 : 0))}});
  Queue others{.name = "default", .parent = "all", .quota = gpus(0), .preempt = site.preempt};
  if (site.cut) others.shrink_after = Duration{};
  if (site.cut) others.shrunk_at = kStart;
  world.apply(QueueSet{others});
}

void set_what_comes(World& world, std::int64_t nodes, const Site& site) {
  if (site.elastic)
    world.apply(FlavorSet{{.name = "default",
                           .cluster = "lab",
                           .elastic = ElasticCapacity{.max_nodes = 2 * nodes, .node = node_of(0, site)}}});
  if (site.closes)
    world.apply(
        ReservationSet{{.name = "repair", .from = kStart + hours(1), .until = kStart + hours(9), .nodes = {"n0"}}});
}

void configure(World& world, const Site& site) {
  Cluster cluster{.name = "lab", .executor = "simulated"};
  cluster.topology = {"rack"};
  world.apply(ClusterSet{cluster});
  world.apply(QueueSet{{.name = "default", .preempt = site.preempt}});
  if (!site.spot) return;
  world.apply(FlavorSet{{.name = "cheap", .labels = {{"market", "spot"}}, .spot = true}});
  world.apply(FlavorSet{{.name = "firm", .labels = {{"market", "on-demand"}}}});
}

void run(World& world, const Load& load, const Node& node) {
  const std::string market = node.labels.at("market");
  const bool spot = world.tables().flavors.contains("cheap");
  const JobId job = world.submit(spec_of(load), kStart);
  world.start({.job = job,
               .cluster = "lab",
               .flavor = !spot              ? "default"
                         : market == "spot" ? "cheap"
                                            : "firm",
               .placement = {{0, node.name, {"0", "1"}}}});
  const AttemptKey attempt = world.tables().live_attempt(job)->key();
  world.apply(AttemptStarted{attempt});
  ProgressReport saved;
  saved.checkpoint = Checkpoint{.uri = "file:/saved", .durable_at = kStart, .attempt = attempt.number};
  if (load.most_nodes > 0) world.apply(AttemptProgressed{.attempt = attempt, .report = saved});
}

}  // namespace

World laden_world(std::int64_t nodes, const Site& site) {
  World world;
  configure(world, site);
  for (std::int64_t i = 0; i < nodes; ++i) {
    const Node node = node_of(i, site);
    world.apply(NodeSet{node});
    run(world, {.gpus = 2, .priority = 10, .most_nodes = i < site.growable ? 4 : 0}, node);
  }
  set_quota(world, nodes, site);
  set_what_comes(world, nodes, site);
  return world;
}

}  // namespace ym::reference
