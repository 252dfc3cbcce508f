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

TEST(Trial, WhoLeavesMakesRoomLater) {
  State state = small_world();
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.quota;
  {
    Trial trial(impl);
    const auto mark = trial.mark();
    trial.depart({2});
    EXPECT_EQ(impl.inventory.free_devices(0), 0b0111U) << "it is still there";
    EXPECT_EQ(impl.inventory.free_devices(0, When::later), 0b1111U);
    EXPECT_EQ(impl.quota.available(0, 0, ResourceKind::gpus).amount, 4 * kMilli);
    EXPECT_EQ(impl.in_use.available(0, 0, ResourceKind::gpus).amount, 2 * kMilli);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    trial.keep({.place = grant_of(state, 0b1100)});
    EXPECT_EQ(impl.inventory.free_devices(0), 0b0011U) << "what is kept is nobody's now";
    EXPECT_EQ(impl.inventory.free_devices(0, When::later), 0b0011U);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    trial.roll_back(mark);
    EXPECT_EQ(impl.inventory.free_devices(0), 0b0111U);
    EXPECT_TRUE(impl.quota == before);
    trial.depart({2});
    EXPECT_DEATH(trial.depart({2}), "leaving");
    trial.stay({2});
    EXPECT_TRUE(impl.quota == before);
    EXPECT_DEATH(trial.stay({2}), "departed");
  }
  EXPECT_TRUE(impl.quota == before);
  EXPECT_EQ(impl.leaving, 0U);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
}

TEST(Trial, ExpectedPlacesAreGivenBackAlone) {
  State state = small_world();
  Trial trial(state.impl());
  trial.keep({.place = grant_of(state, 0b0001)});
  trial.keep({.place = grant_of(state, 0b0010), .expected = true});
  EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0100U);
  trial.release_expected();
  EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0110U);
  EXPECT_EQ(state.impl().trial.size(), 1U);
}

TEST(Trial, LiftsWhatIsKept) {
  State state = small_world();
  state.apply(event(7, HoldPlaced{.job = {1},
                                  .hold = {.cluster = "c",
                                           .flavor = "default",
                                           .placement = {{.task = 0, .node = "n1", .devices = {"0", "1"}}},
                                           .victims = {},
                                           .expires_at = {}}}));
  const QuotaTree before = state.impl().quota;
  {
    Trial trial(state.impl());
    EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0100U);
    EXPECT_EQ(state.impl().quota.available(0, 0, ResourceKind::gpus).amount, 0);
    trial.lift({1});
    EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0111U);
    EXPECT_EQ(state.impl().quota.available(0, 0, ResourceKind::gpus).amount, 2 * kMilli);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    trial.take(grant_of(state, 0b0011));
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    EXPECT_DEATH(trial.lift({1}), "Lifting");
  }
  EXPECT_TRUE(state.impl().quota == before);
  EXPECT_EQ(state.impl().inventory.free_devices(0), 0b0100U);
}

TEST(Trial, ClaimsQuotaButNoDevices) {
  State state = small_world();
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.quota, unclaimed = impl.claimed;
  Trial trial(impl);
  trial.claim({.job = impl.jobs.slot({1}), .flavor = 0});
  EXPECT_EQ(impl.inventory.free_devices(0), 0b0111U);
  EXPECT_EQ(impl.claimed.available(0, 0, ResourceKind::gpus).amount, 0);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
  trial.release_claims();
  EXPECT_TRUE(impl.quota == before);
  EXPECT_TRUE(impl.claimed == unclaimed);
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
  trial.depart({2});
  const auto departed = trial.epoch();
  EXPECT_NE(departed, inside);
  trial.roll_back(mark);
  EXPECT_EQ(trial.epoch(), before) << "all is as it was";
  const auto again = trial.mark();
  EXPECT_NE(trial.epoch(), inside);
  EXPECT_NE(trial.epoch(), departed);
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
  leaked.impl().inventory.used.cpus[0] += 1;
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

TEST(Invariants, SeeWhatIsWrongWithThoseWhoLeave) {
  const State state = small_world();
  State unused = state;
  unused.impl().in_use.add(0, 0, {{0, 0, kMilli}});
  EXPECT_EQ(broken_invariant(unused), "the quota in use is not the sum of what runs");

  State unclaimed = state;
  unclaimed.impl().claimed.add(0, 0, {{0, 0, kMilli}});
  EXPECT_EQ(broken_invariant(unclaimed), "the quota claimed is not the sum of what is claimed");

  State left = state;
  left.impl().inventory.leaving.devices[0] = 1;
  EXPECT_EQ(broken_invariant(left), "what leaves node n1 is not what those hold who leave");

  State kept = state;
  kept.impl().inventory.held.memory[0] = 1;
  EXPECT_EQ(broken_invariant(kept), "what is kept of node n1 is not what is kept for jobs");

  State stays = state;
  stays.impl().trial = {Keeping{.place = grant_of(state, 0b1001)}};
  EXPECT_EQ(broken_invariant(stays), "job 00000001 is kept what stays in use on node n1");

  State crossed = state;
  crossed.impl().trial = {Keeping{.place = grant_of(state, 0b0011)}, grant_of(state, 0b0110)};
  EXPECT_EQ(broken_invariant(crossed), "job 00000001 is given what is kept for another on node n1");

  State undecided = state;
  undecided.impl().live.at({2}).leaving = true;
  EXPECT_EQ(broken_invariant(undecided), "job 00000002 leaves, or does not");
}

}  // namespace
}  // namespace ym::engine
