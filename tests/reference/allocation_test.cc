// What a cycle allocates does not grow with the nodes: nothing is allocated inside loops over them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "engine/engine.h"
#include "scenario/language/world.h"

// Sanitizers have operators of their own.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

namespace {
std::size_t allocations = 0;  // of the one thread of these tests
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace ym::engine {
namespace {

using ym::testing::kStart;
using ym::testing::World;

struct Load {
  std::int64_t gpus = 1;
  std::int32_t nodes = 1, priority = 50;
  PlacementRules placement = {};
  std::int64_t gpu_milli = 0;   // of one GPU that is shared
  std::int32_t most_nodes = 0;  // elastic
  std::string profile = {};     // MIG: so many slices as GPUs are said
  std::int32_t others = 0;      // so many tasks of another group
};

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

JobSpec spec_of(const Load& load) {
  JobSpec spec;
  spec.resources = resources_of(load);
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

// What the nodes and the queue of a test have beside.
struct Site {
  bool slices = false, spot = false;
  PreemptRule preempt = PreemptRule::never;
  std::int32_t growable = 0;  // so many elastic jobs run that have one node of four
};

Node node_of(std::int64_t i, const Site& site) {
  Node node{.name = "n" + std::to_string(i), .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli};
  node.labels = {{"rack", "r" + std::to_string(i % 4)}, {"market", i % 8 < 4 ? "spot" : "on-demand"}};
  for (const char* id : {"0", "1", "2", "3"}) node.devices.push_back({.id = id, .memory_bytes = 16 * kGiB});
  if (site.slices)
    for (const char* id : {"m0", "m1"}) node.devices.push_back({.id = id, .profile = "1g.10gb"});
  return node;
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

// Four racks of nodes with four GPUs, on each of which somebody of no great priority has two.
World world_of(std::int64_t nodes, const Site& site) {
  World world;
  configure(world, site);
  for (std::int64_t i = 0; i < nodes; ++i) {
    const Node node = node_of(i, site);
    world.apply(NodeSet{node});
    run(world, {.gpus = 2, .priority = 10, .most_nodes = i < site.growable ? 4 : 0}, node);
  }
  return world;
}

struct Case {
  std::vector<Load> loads;
  Site site = {};
  Policy policy = {};
};

struct Count {
  std::size_t allocations = 0;
  Plan plan;
};

Count count(std::int64_t nodes, const Case& one) {
  World world = world_of(nodes, one.site);
  for (const Load& load : one.loads) world.submit(spec_of(load), kStart);
  decide(world.state(), one.policy, kStart + minutes(1), 0);  // what is remembered of one cycle to the next is there
  const std::size_t before = allocations;
  Plan plan = decide(world.state(), one.policy, kStart + minutes(1), 0);
  return {allocations - before, std::move(plan)};
}

// The plan of the small world, which is as that of the large one.
Plan expect_none_by_node(const Case& one) {
  const Count few = count(64, one), many = count(512, one);
  // Arrays that grow by doubling do so three times more.
  EXPECT_LE(many.allocations, few.allocations + 120)
      << "with 64 nodes " << few.allocations << ", with 512 " << many.allocations;
  return few.plan;
}

template <class Kind>
bool has(const Plan& plan) {
  return std::ranges::any_of(plan.decisions, [](const Decision& one) { return std::holds_alternative<Kind>(one); });
}

void expect_admissions(const Case& one) { EXPECT_TRUE(has<Admission>(expect_none_by_node(one))); }

TEST(Allocations, PlacingOneTask) {
  for (const Scoring scoring : {Scoring::fgd, Scoring::best_fit, Scoring::pack, Scoring::spread})
    expect_admissions({.loads = {{.gpus = 2}, {.gpus = 1}}, .policy = {.scoring = scoring}});
}

TEST(Allocations, PlacingGangs) {
  expect_admissions({{{.gpus = 2, .nodes = 8}}});
  expect_admissions({{{.gpus = 2, .nodes = 8, .placement = {.required_level = "rack"}}}});
  expect_admissions({{{.gpus = 2, .nodes = 8, .placement = {.slice = SliceRule{.level = "rack", .nodes = 4}}}}});
}

TEST(Allocations, PlacingGangsOfSeveralParts) {
  expect_admissions({{{.gpus = 2, .nodes = 4, .others = 8}}});
  expect_admissions({.loads = {{.gpus = 2, .nodes = 8, .placement = {.anchor = 2}}}, .site = {.spot = true}});
}

TEST(Allocations, PlacingPartsOfGpus) {
  expect_admissions({{{.gpu_milli = 250}, {.gpu_milli = 500}}});
  expect_admissions({.loads = {{.gpus = 1, .profile = "1g.10gb"}}, .site = {.slices = true}});
}

TEST(Allocations, WaitingWithAReservation) {
  const Plan plan = expect_none_by_node({.loads = {{.gpus = 4, .priority = 10}, {.gpus = 4, .nodes = 3, .priority = 9}},
                                         .policy = {.preempt_phase = false}});
  EXPECT_FALSE(plan.reservations.empty());
}

TEST(Allocations, NobodyCanMakeRoom) { expect_none_by_node({{{.gpus = 4, .priority = 5}}}); }

TEST(Allocations, Preempting) {
  const Site site{.preempt = PreemptRule::lower_priority};
  EXPECT_TRUE(has<Preemption>(expect_none_by_node({.loads = {{.gpus = 4, .priority = 90}}, .site = site})));
  EXPECT_TRUE(has<Preemption>(expect_none_by_node({.loads = {{.gpus = 4, .nodes = 3, .priority = 90}}, .site = site})));
}

TEST(Allocations, Consolidating) {
  const Plan plan = expect_none_by_node({.loads = {{.gpus = 4}}, .policy = {.consolidation = Consolidation::on}});
  EXPECT_TRUE(has<Preemption>(plan));
}

TEST(Allocations, Resizing) {
  EXPECT_TRUE(
      has<Resize>(expect_none_by_node({.loads = {}, .site = {.growable = 2}, .policy = {.resize_interval = {}}})));
}

}  // namespace
}  // namespace ym::engine

#endif
