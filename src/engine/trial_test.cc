#include "engine/trial.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "engine/invariants.h"
#include "engine/testing/small_state.h"

namespace ym::engine {
namespace {

using ym::testing::expect_sentence;

TEST(State, WhatTwoHaveIsFreeWhenBothHaveEnded) {
  State state = small_world();
  Attempt found{.job = {1}, .number = 3, .cluster = "c", .queue = "q", .flavor = "default"};
  found.placement = {{.task = 0, .node = "n1", .devices = {"2", "3"}}};
  found.adopted = true;
  state.apply(event(7, AttemptAdmitted{found}));
  state.apply(event(8, AttemptEnded{.attempt = {{2}, 1}}));
  EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0011U);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
  state.apply(event(9, AttemptEnded{.attempt = {{1}, 3}}));
  EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b1111U);
}

TEST(Trial, TakesAndGivesBack) {
  State state = small_world();
  const QuotaTree before = state.impl().quota;
  {
    Trial trial(state.impl());
    trial.take(grant_of(state, 0b0011));
    EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0100U);
    EXPECT_FALSE(state.impl().quota == before);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    const auto mark = trial.mark();
    trial.take(grant_of(state, 0b0100));
    trial.roll_back(mark);
    EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0100U);
  }
  EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0111U);
  EXPECT_TRUE(state.impl().quota == before);
  EXPECT_TRUE(state.impl().trial.empty());
}

TEST(Trial, ALeavingJobMakesRoomLater) {
  State state = small_world();
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.quota;
  {
    Trial trial(impl);
    const auto mark = trial.mark();
    trial.depart({2});
    EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}), 0b0111U) << "it is still there";
    EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}, When::later), 0b1111U);
    EXPECT_EQ(impl.quota.available(QueueIndex{0}, FlavorIndex{0}, ResourceKind::gpus).amount, 4 * kMilli);
    EXPECT_EQ(impl.in_use.available(QueueIndex{0}, FlavorIndex{0}, ResourceKind::gpus).amount, 2 * kMilli);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    trial.nominate({.place = grant_of(state, 0b1100)});
    EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}), 0b0011U) << "what is kept is nobody's now";
    EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}, When::later), 0b0011U);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    trial.roll_back(mark);
    EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}), 0b0111U);
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
  trial.nominate({.place = grant_of(state, 0b0001)});
  trial.nominate({.place = grant_of(state, 0b0010), .expected = true});
  EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0100U);
  trial.release_expected();
  EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0110U);
  EXPECT_EQ(state.impl().trial.size(), 1U);
}

TEST(Trial, AnOverdueJobFreesNothing) {
  State state = small_world();
  state.apply(event(7, AttemptStopping{.attempt = {{2}, 1}, .cause = StopCause::cancel, .stop_by = Instant{5}}));
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.claimed, rights = impl.quota;
  Trial trial(impl);
  EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}, When::later), 0b1111U);
  trial.mark_overdue({2});
  EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}, When::later), 0b0111U);
  EXPECT_EQ(impl.claimed.available(QueueIndex{0}, FlavorIndex{0}, ResourceKind::gpus).amount, 2 * kMilli);
  EXPECT_TRUE(impl.quota == rights) << "rights are judged as if it had left";
  expect_sentence(broken_invariant(state).value());
  trial.release_expected();
  EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}, When::later), 0b1111U);
  EXPECT_TRUE(impl.claimed == before);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
}

// A cache of what is free on a node must look again: a nomination changes what is free now.
TEST(Trial, AnOverdueJobTouchesItsNodes) {
  State state = small_world();
  state.apply(event(7, AttemptStopping{.attempt = {{2}, 1}, .cause = StopCause::cancel, .stop_by = Instant{5}}));
  State::Impl& impl = state.impl();
  Trial trial(impl);
  const auto touched_since = [&](std::uint64_t end) {
    return impl.touch_log.since(end).value_or(std::span<const NodeIndex>());
  };
  const auto before = impl.touch_log.end();
  trial.mark_overdue({2});
  EXPECT_EQ(touched_since(before).size(), impl.live.at({2}).tasks.size());
  const auto overdue = impl.touch_log.end();
  trial.release_expected();
  EXPECT_EQ(touched_since(overdue).size(), impl.live.at({2}).tasks.size());
}

// A grant is found again, also after later grants were logged and revoked.
TEST(Trial, GivesOneGrantBackAlone) {
  State state = small_world();
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.quota;
  Trial trial(impl);
  trial.claim({.job = impl.jobs.slot({1}), .flavors = FlavorIndex{0}});
  trial.release_claims();
  trial.take(grant_of(state, 0b0011));
  const auto mark = trial.mark();
  trial.depart({1});
  EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}), 0b0111U);
  EXPECT_DEATH(trial.depart({1}), "withdrawn");
  trial.roll_back(mark);
  trial.release_grant({1});
  EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}), 0b0111U);
  EXPECT_TRUE(impl.quota == before);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
  EXPECT_DEATH(trial.release_grant({1}), "granted");
  trial.take(grant_of(state, 0b0100));
  trial.depart({1});
  trial.stay({1});
  EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}), 0b0011U);
}

TEST(Trial, LiftsWhatIsKept) {
  State state = small_world();
  state.apply(
      event(7, PlacementNominated{.job = {1},
                                  .nomination = {.cluster = "c",
                                                 .flavor = "default",
                                                 .placement = {{.task = 0, .node = "n1", .devices = {"0", "1"}}},
                                                 .preempted_jobs = {},
                                                 .expires_at = {}}}));
  const QuotaTree before = state.impl().quota;
  {
    Trial trial(state.impl());
    EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0100U);
    EXPECT_EQ(state.impl().quota.available(QueueIndex{0}, FlavorIndex{0}, ResourceKind::gpus).amount, 0);
    trial.end_nomination({1});
    EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0111U);
    EXPECT_EQ(state.impl().quota.available(QueueIndex{0}, FlavorIndex{0}, ResourceKind::gpus).amount, 2 * kMilli);
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    trial.take(grant_of(state, 0b0011));
    EXPECT_EQ(broken_invariant(state), std::nullopt);
    EXPECT_DEATH(trial.end_nomination({1}), "ended_nominations");
  }
  EXPECT_TRUE(state.impl().quota == before);
  EXPECT_EQ(state.impl().inventory.free_devices(NodeIndex{0}), 0b0100U);
}

TEST(Trial, ClaimsQuotaButNoDevices) {
  State state = small_world();
  State::Impl& impl = state.impl();
  const QuotaTree before = impl.quota, unclaimed = impl.claimed;
  Trial trial(impl);
  trial.claim({.job = impl.jobs.slot({1}), .flavors = FlavorIndex{0}});
  EXPECT_EQ(impl.inventory.free_devices(NodeIndex{0}), 0b0111U);
  EXPECT_EQ(impl.claimed.available(QueueIndex{0}, FlavorIndex{0}, ResourceKind::gpus).amount, 0);
  EXPECT_EQ(broken_invariant(state), std::nullopt);
  trial.release_claims();
  EXPECT_TRUE(impl.quota == before);
  EXPECT_TRUE(impl.claimed == unclaimed);
  EXPECT_TRUE(impl.trial.empty());
}

// Results from a time in which the state only became fuller stay valid; others do not.
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

}  // namespace
}  // namespace ym::engine
