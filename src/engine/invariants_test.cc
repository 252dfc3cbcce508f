#include "engine/invariants.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "engine/testing/small_state.h"

namespace ym::engine {
namespace {

using ym::testing::expect_sentence;

TEST(Invariants, SeeWhatIsWrong) {
  State state = small_world();
  EXPECT_EQ(broken_invariant(state), std::nullopt);

  State twice = state;
  twice.impl().trial = {grant_of(state, 0b0011), grant_of(state, 0b0001)};
  expect_sentence(broken_invariant(twice).value());

  State torn = state;
  Grant nowhere = grant_of(state, 0b0011);
  nowhere.nodes.clear();
  torn.impl().trial = {nowhere};
  expect_sentence(broken_invariant(torn).value());

  State leaked = state;
  leaked.impl().inventory.used.cpus[NodeIndex{0}] += 1;
  expect_sentence(broken_invariant(leaked).value());

  State overdrawn = state;
  overdrawn.impl().trial = {grant_of(state, 0b0011), grant_of(state, 0b0100)};
  expect_sentence(broken_invariant(overdrawn).value());

  State uncounted = state;
  uncounted.impl().quota.add(QueueIndex{0}, FlavorIndex{0}, {{0, 0, kMilli}});
  expect_sentence(broken_invariant(uncounted).value());

  State broken = state;
  broken.impl().inventory.healthy[NodeIndex{0}] = 0;
  broken.impl().trial = {grant_of(state, 0b0011)};
  expect_sentence(broken_invariant(broken).value());
}

TEST(Invariants, SeeWhatIsWrongWithLeavingJobs) {
  const State state = small_world();
  State unused = state;
  unused.impl().in_use.add(QueueIndex{0}, FlavorIndex{0}, {{0, 0, kMilli}});
  expect_sentence(broken_invariant(unused).value());

  State unclaimed = state;
  unclaimed.impl().claimed.add(QueueIndex{0}, FlavorIndex{0}, {{0, 0, kMilli}});
  expect_sentence(broken_invariant(unclaimed).value());

  State left = state;
  left.impl().inventory.leaving.devices[NodeIndex{0}] = 1;
  expect_sentence(broken_invariant(left).value());

  State kept = state;
  kept.impl().inventory.held.memory[NodeIndex{0}] = 1;
  expect_sentence(broken_invariant(kept).value());

  State allocations = state;
  allocations.impl().trial = {TrialNomination{.place = grant_of(state, 0b1001)}};
  expect_sentence(broken_invariant(allocations).value());

  State crossed = state;
  crossed.impl().trial = {TrialNomination{.place = grant_of(state, 0b0011)}, grant_of(state, 0b0110)};
  expect_sentence(broken_invariant(crossed).value());

  State undecided = state;
  undecided.impl().live.at({2}).leaving = true;
  expect_sentence(broken_invariant(undecided).value());
}

}  // namespace
}  // namespace ym::engine
