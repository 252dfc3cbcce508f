#include "engine/invariants.h"

#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace ym::engine {
namespace {

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
  leaked.impl().inventory.used.cpus[NodeIndex{0}] += 1;
  EXPECT_EQ(broken_invariant(leaked), "what is in use of node n1 is not what is held of it");

  State overdrawn = state;
  overdrawn.impl().trial = {grant_of(state, 0b0011), grant_of(state, 0b0100)};
  EXPECT_EQ(broken_invariant(overdrawn), "the quota of queue q is overdrawn");

  State uncounted = state;
  uncounted.impl().quota.add(QueueIndex{0}, FlavorIndex{0}, {{0, 0, kMilli}});
  EXPECT_EQ(broken_invariant(uncounted), "the usage of quota is not the sum of what is held");

  State broken = state;
  broken.impl().inventory.healthy[NodeIndex{0}] = 0;
  broken.impl().trial = {grant_of(state, 0b0011)};
  EXPECT_EQ(broken_invariant(broken), "job 00000001 is given what is out of service on node n1");
}

TEST(Invariants, SeeWhatIsWrongWithThoseWhoLeave) {
  const State state = small_world();
  State unused = state;
  unused.impl().in_use.add(QueueIndex{0}, FlavorIndex{0}, {{0, 0, kMilli}});
  EXPECT_EQ(broken_invariant(unused), "the quota in use is not the sum of what runs");

  State unclaimed = state;
  unclaimed.impl().claimed.add(QueueIndex{0}, FlavorIndex{0}, {{0, 0, kMilli}});
  EXPECT_EQ(broken_invariant(unclaimed), "the quota claimed is not the sum of what is claimed");

  State left = state;
  left.impl().inventory.leaving.devices[NodeIndex{0}] = 1;
  EXPECT_EQ(broken_invariant(left), "what leaves node n1 is not what leaving jobs hold");

  State kept = state;
  kept.impl().inventory.held.memory[NodeIndex{0}] = 1;
  EXPECT_EQ(broken_invariant(kept), "what is kept of node n1 is not what is kept for jobs");

  State allocations = state;
  allocations.impl().trial = {Keeping{.place = grant_of(state, 0b1001)}};
  EXPECT_EQ(broken_invariant(allocations), "job 00000001 is kept what stays in use on node n1");

  State crossed = state;
  crossed.impl().trial = {Keeping{.place = grant_of(state, 0b0011)}, grant_of(state, 0b0110)};
  EXPECT_EQ(broken_invariant(crossed), "job 00000001 is given what is kept for another on node n1");

  State undecided = state;
  undecided.impl().live.at({2}).leaving = true;
  EXPECT_EQ(broken_invariant(undecided), "job 00000002 leaves, or does not");
}

}  // namespace
}  // namespace ym::engine
