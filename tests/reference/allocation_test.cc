// The allocations of a cycle do not grow with the number of nodes: no loop over nodes allocates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "engine/engine.h"
#include "reference/laden_world.h"

// Sanitizers have their own operators new and delete.
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

using ym::reference::laden_world;
using ym::reference::Load;
using ym::reference::Site;
using ym::reference::spec_of;
using ym::testing::kStart;
using ym::testing::World;

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
  World world = laden_world(nodes, one.site);
  for (const Load& load : one.loads) world.submit(spec_of(load), kStart);
  decide(world.state(), one.policy, kStart + minutes(1));  // what is remembered of one cycle to the next is there
  const std::size_t before = allocations;
  Plan plan = decide(world.state(), one.policy, kStart + minutes(1));
  return {allocations - before, std::move(plan)};
}

// The plan of the small world; that of the large world is like it.
Plan expect_none_by_node(const Case& one) {
  const Count few = count(64, one), many = count(512, one);
  // Arrays that double grow three times more often.
  EXPECT_LE(many.allocations, few.allocations + 120)
      << "with 64 nodes " << few.allocations << ", with 512 " << many.allocations;
  EXPECT_EQ(many.plan.decisions.size(), few.plan.decisions.size());
  EXPECT_EQ(many.plan.provisions.size(), few.plan.provisions.size());
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

TEST(Allocations, NoJobCanMakeRoom) { expect_none_by_node({{{.gpus = 4, .priority = 5}}}); }

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

TEST(Allocations, TakingBackWhatWasLent) {
  EXPECT_TRUE(has<Preemption>(expect_none_by_node({.loads = {{.gpus = 2, .queue = "owner"}}, .site = {.lent = true}})));
}

TEST(Allocations, ShrinkingWhatHasNoQuotaAnyMore) {
  EXPECT_TRUE(has<Eviction>(expect_none_by_node({.loads = {}, .site = {.cut = true}})));
}

TEST(Allocations, AskingForNodes) {
  const Plan plan = expect_none_by_node({.loads = {{.gpus = 4, .priority = 5}}, .site = {.elastic = true}});
  EXPECT_FALSE(plan.provisions.empty());
}

TEST(Allocations, PlacingBesideAWindow) {
  expect_admissions({.loads = {{.gpus = 2, .nodes = 8}}, .site = {.closes = true}});
}

}  // namespace
}  // namespace ym::engine

#endif
