// What a cycle allocates does not grow with the nodes: nothing is allocated inside loops over them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

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
  std::string required = {};
  std::int64_t gpu_milli = 0;  // of one GPU that is shared
};

JobSpec spec_of(const Load& load) {
  JobSpec spec;
  spec.resources.gpus = load.gpu_milli > 0 ? load.gpu_milli : load.gpus * kMilli;
  if (load.gpu_milli > 0) spec.resources.gpu_memory_bytes = kGiB;
  spec.nodes = load.nodes;
  spec.priority = load.priority;
  spec.placement.required_level = load.required;
  spec.time_limit = hours(2);
  return spec;
}

// Four racks of nodes with four GPUs, on each of which somebody of no great priority has two.
World world_of(std::int64_t nodes) {
  World world;
  Cluster cluster{.name = "lab", .executor = "simulated"};
  cluster.topology = {"rack"};
  world.apply(ClusterSet{cluster});
  for (std::int64_t i = 0; i < nodes; ++i) {
    Node node{.name = "n" + std::to_string(i), .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli};
    node.labels["rack"] = "r" + std::to_string(i % 4);
    for (const char* id : {"0", "1", "2", "3"}) node.devices.push_back({.id = id, .memory_bytes = 16 * kGiB});
    world.apply(NodeSet{node});
    const JobId low = world.submit(spec_of({.gpus = 2, .priority = 10}), kStart);
    world.start({.job = low, .cluster = "lab", .flavor = "default", .placement = {{0, node.name, {"0", "1"}}}});
    world.apply(AttemptStarted{world.tables().live_attempt(low)->key()});
  }
  return world;
}

std::size_t allocated(std::int64_t nodes, const std::vector<Load>& loads, const Policy& policy) {
  World world = world_of(nodes);
  for (const Load& load : loads) world.submit(spec_of(load), kStart);
  decide(world.state(), policy, kStart + minutes(1), 0);  // what is remembered of one cycle to the next is there
  const std::size_t before = allocations;
  decide(world.state(), policy, kStart + minutes(1), 0);
  return allocations - before;
}

void expect_none_by_node(const std::vector<Load>& loads, const Policy& policy = {}) {
  const std::size_t few = allocated(64, loads, policy), many = allocated(512, loads, policy);
  // Arrays that grow by doubling do so three times more.
  EXPECT_LE(many, few + 120) << "with 64 nodes " << few << ", with 512 " << many;
}

TEST(Allocations, PlacingOneTask) {
  for (const Scoring scoring : {Scoring::fgd, Scoring::best_fit, Scoring::pack, Scoring::spread})
    expect_none_by_node({{.gpus = 2}, {.gpus = 1}}, {.scoring = scoring});
}

TEST(Allocations, PlacingGangsAndShares) {
  expect_none_by_node({{.gpus = 2, .nodes = 8}});
  expect_none_by_node({{.gpus = 2, .nodes = 8, .required = "rack"}});
  expect_none_by_node({{.gpu_milli = 250}, {.gpu_milli = 500}});
}

TEST(Allocations, WaitingWithAReservation) {
  expect_none_by_node({{.gpus = 4, .priority = 10}, {.gpus = 4, .nodes = 3, .priority = 9}}, {.preempt_phase = false});
}

TEST(Allocations, NobodyCanMakeRoom) { expect_none_by_node({{.gpus = 4, .priority = 5}}); }

}  // namespace
}  // namespace ym::engine

#endif
