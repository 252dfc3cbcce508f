#include "engine/trial.h"

#include <gtest/gtest.h>

#include "engine/invariants.h"

namespace ym::engine {
namespace {

Event event(std::uint64_t seq, EventPayload payload) { return {.seq = seq, .payload = std::move(payload)}; }

// Node n1 with four devices, of which job 2 holds one while it is charged for two; job 1 waits.
State small_world() {
  State state;
  Queue queue{.name = "q", .quota = {}, .age_cap_ms = {}};
  Quota gpus{.nominal = 4 * kMilli, .borrowing_limit = {}, .lending_limit = {}};
  queue.quota = {{"default", {std::nullopt, std::nullopt, gpus}}};
  Node node{.name = "n1", .cluster = "c", .gpu_type = "t4"};
  for (const char* id : {"0", "1", "2", "3"}) node.devices.push_back({.id = id});
  Job job;
  job.id = {1};
  job.queue = "q";
  JobSpec spec;
  spec.resources.gpus = 2 * kMilli;
  job.spec = std::make_shared<const JobSpec>(spec);
  state.apply(event(1, ClusterSet{{.name = "c", .executor = "simulated"}}));
  state.apply(event(2, NodeSet{node}));
  state.apply(event(3, QueueSet{queue}));
  state.apply(event(4, JobSubmitted{job}));
  job.id = {2};
  state.apply(event(5, JobSubmitted{job}));
  Attempt attempt{.job = {2}, .number = 1, .cluster = "c", .queue = "q", .flavor = "default"};
  attempt.placement = {{.task = 0, .node = "n1", .devices = {"3"}}};
  state.apply(event(6, AttemptAdmitted{attempt}));
  return state;
}

Grant grant_of(const State& state, std::uint64_t bits) {
  const auto& inventory = state.impl().inventory;
  return {.job = state.impl().jobs.slot({1}),
          .flavor = inventory.flavor_names.find("default"),
          .cluster = inventory.cluster_names.find("c"),
          .nodes = {inventory.node_names.find("n1")},
          .bits = {bits}};
}

TEST(Trial, TakesAndGivesBack) {
  State state = small_world();
  const QuotaTree before = state.impl().quota;
  {
    Trial trial(state.impl());
    trial.take(grant_of(state, 0b0011));
    EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0100U);
    EXPECT_FALSE(state.impl().quota == before);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    const auto mark = trial.mark();
    trial.take(grant_of(state, 0b0100));
    trial.roll_back(mark);
    EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0100U);
  }
  EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0111U);
  EXPECT_TRUE(state.impl().quota == before);
  EXPECT_TRUE(state.impl().trial.empty());
}

TEST(Trial, EvictsAndBringsBack) {
  State state = small_world();
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.quota;
  {
    Trial trial(impl);
    const auto mark = trial.mark();
    trial.evict({2});
    EXPECT_EQ(impl.inventory.free_devices(0), 0b1111U);
    EXPECT_EQ(impl.quota.available(0, 0, ResourceKind::gpus).amount, 4 * kMilli);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    trial.take(grant_of(state, 0b1100));
    EXPECT_EQ(broken_invariant(state), std::nullopt) << "what was evicted may be given";
    trial.roll_back(mark);
    EXPECT_EQ(impl.inventory.free_devices(0), 0b0111U);
    EXPECT_TRUE(impl.quota == before);
    trial.evict({2});
    EXPECT_DEATH(trial.evict({2}), "evicts");
  }
  EXPECT_TRUE(impl.quota == before);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
}

TEST(Trial, ClaimsQuotaButNoDevices) {
  State state = small_world();
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.quota;
  Trial trial(impl);
  trial.claim({.job = impl.jobs.slot({1}), .flavor = 0});
  EXPECT_EQ(impl.inventory.free_devices(0), 0b0111U);
  EXPECT_EQ(impl.quota.available(0, 0, ResourceKind::gpus).amount, 0);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
  trial.release_claims();
  EXPECT_TRUE(impl.quota == before);
  EXPECT_TRUE(impl.trial.empty());
}

// What was found while the state only became fuller holds; what was found otherwise does not.
TEST(Trial, EpochsTellWhetherAnythingWasReleased) {
  State state = small_world();
  Trial trial(state.impl());
  const auto before = trial.epoch();
  trial.take(grant_of(state, 0b0001));
  EXPECT_EQ(trial.epoch(), before);
  const auto mark = trial.mark();
  const auto inside = trial.epoch();
  EXPECT_NE(inside, before) << "what is found inside does not outlive it";
  trial.evict({2});
  const auto evicted = trial.epoch();
  EXPECT_NE(evicted, inside);
  trial.roll_back(mark);
  EXPECT_EQ(trial.epoch(), before) << "all is as it was";
  const auto again = trial.mark();
  EXPECT_NE(trial.epoch(), inside);
  EXPECT_NE(trial.epoch(), evicted);
  trial.roll_back(again);
}

TEST(Invariants, SeeWhatIsWrong) {
  State state = small_world();
  EXPECT_EQ(broken_invariant(state), std::nullopt);

  State twice = state;
  twice.impl().trial = {grant_of(state, 0b0011), grant_of(state, 0b0001)};
  EXPECT_EQ(broken_invariant(twice), "a device of node n1 is given twice");

  State torn = state;
  Grant nowhere = grant_of(state, 0b0011);
  nowhere.nodes.clear();
  torn.impl().trial = {nowhere};
  EXPECT_EQ(broken_invariant(torn), "the gang of job 00000001 is not whole");

  State leaked = state;
  leaked.impl().inventory.used_cpus[0] += 1;
  EXPECT_EQ(broken_invariant(leaked), "what is in use of node n1 is not what is held of it");

  State overdrawn = state;
  overdrawn.impl().trial = {grant_of(state, 0b0011), grant_of(state, 0b0100)};
  EXPECT_EQ(broken_invariant(overdrawn), "the quota of queue q is overdrawn");

  State uncounted = state;
  uncounted.impl().quota.add(0, 0, {{0, 0, kMilli}});
  EXPECT_EQ(broken_invariant(uncounted), "the usage of quota is not the sum of what is held");

  State broken = state;
  broken.impl().inventory.healthy[0] = 0;
  broken.impl().trial = {grant_of(state, 0b0011)};
  EXPECT_EQ(broken_invariant(broken), "job 00000001 is given what is out of service on node n1");
}

}  // namespace
}  // namespace ym::engine
