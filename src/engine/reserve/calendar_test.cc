#include "engine/reserve/calendar.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/testing/small_state.h"
#include "engine/trial.h"

namespace ym::engine {
namespace {

constexpr Instant kNow{10 * 3'600'000 + 20'000};  // twenty seconds after a clock minute begins

Ending ending(std::optional<Instant> started_at, std::optional<Duration> limit) {
  return {.started_at = started_at, .admitted_at = Instant{0}, .limit = limit, .grace = seconds(30)};
}

class CalendarTest : public ::testing::Test {
 protected:
  State state_ = small_world();
  Policy policy_;
  Calendar calendar_{state_.impl(), policy_, kNow};
};

TEST_F(CalendarTest, CountsTheTurnsOfTheClock) {
  EXPECT_EQ(calendar_.minute_of(kNow), 0);
  EXPECT_EQ(calendar_.minute_of(kNow + Duration{1}), 1);
  EXPECT_EQ(calendar_.minute_of(kNow + seconds(40)), 1);
  EXPECT_EQ(calendar_.minute_of(kNow + seconds(41)), 2);
  EXPECT_EQ(calendar_.minute_of(kNever), kNoMinute);
  EXPECT_EQ(calendar_.instant_of(0), kNow);
  EXPECT_EQ(calendar_.instant_of(1), kNow + seconds(40));
  EXPECT_EQ(Calendar::minutes_in(seconds(61)), 2);
  EXPECT_EQ(Calendar::minutes_in(hours(24 * 46)), kNoMinute);
  EXPECT_FALSE(calendar_.is_full_minute());
}

// A cache asks again when its answer expires, and not before.
TEST_F(CalendarTest, WhatIsSaidOfAnEndHoldsUntilTimeChangesIt) {
  Random luck(7);
  const auto some = [&](Duration most) {
    return Duration{static_cast<std::int64_t>(luck.below(static_cast<std::uint64_t>(most.ms)))};
  };
  const auto perhaps = [&](auto value) { return luck.below(2) == 0 ? std::optional(value) : std::nullopt; };
  int changed = 0;
  for (int i = 0; i < 4'000; ++i) {
    const Duration limit = luck.below(4) == 0 ? hours(24 * 45) + some(hours(3)) : some(minutes(20));
    const Ending ending{.started_at = perhaps(kNow - some(minutes(20))),
                        .admitted_at = perhaps(kNow - some(minutes(30))),
                        .limit = perhaps(limit),
                        .grace = some(minutes(2)),
                        .stop_by = perhaps(kNow - minutes(2) + some(minutes(4))),
                        .leaving = luck.below(3) == 0};
    const auto turn = [&](const Calendar& calendar) {
      const Minute minute = calendar.minute_of(calendar.gone_by(ending));
      return minute == kNoMinute ? -1 : calendar.running_minute() + minute;
    };
    const Instant until = calendar_.holds_until(ending);
    ASSERT_GT(until, kNow);
    const Instant later = kNow + (luck.below(3) == 0 ? Duration{1} : some(minutes(40)));
    const auto now = turn(calendar_), then = turn(Calendar(state_.impl(), policy_, later));
    if (later < until) ASSERT_EQ(now, then) << i << " after " << (later - kNow).ms << " ms";
    changed += now != then ? 1 : 0;
  }
  EXPECT_GT(changed, 500);
}

TEST_F(CalendarTest, AnEndIsSureWhereALimitOrAGraceEnforcesIt) {
  EXPECT_EQ(calendar_.gone_by(ending(kNow - minutes(10), std::nullopt)), kNever);
  EXPECT_EQ(calendar_.gone_by(ending(kNow - minutes(10), hours(1))), kNow + minutes(50) + seconds(30));
  Ending stopped = ending(kNow - minutes(10), std::nullopt);
  stopped.leaving = true;
  EXPECT_EQ(calendar_.gone_by(stopped), kNow + seconds(30)) << "asked in the trial";
  stopped.stop_by = kNow + seconds(5);
  EXPECT_EQ(calendar_.gone_by(stopped), kNow + seconds(5));
}

TEST_F(CalendarTest, AJobThatHasNotStartedMayDoSoAtAnyMoment) {
  EXPECT_EQ(calendar_.gone_by(ending(std::nullopt, hours(1))), kNow + hours(1) + seconds(30));
  Ending fresh = ending(std::nullopt, hours(1));
  fresh.admitted_at.reset();
  EXPECT_EQ(calendar_.gone_by(fresh), kNow + policy_.start_allowance + hours(1) + seconds(30));
}

TEST_F(CalendarTest, AnOverdueJobIsWaitedForAWhile) {
  const Ending due = ending(kNow - hours(1) - seconds(30), hours(1));
  EXPECT_EQ(calendar_.gone_by(due), kNow + Duration{1});
  EXPECT_EQ(calendar_.overdue_from(due), kNow + policy_.hold_margin);
  const Ending lost = ending(kNow - hours(1) - seconds(30) - policy_.hold_margin, hours(1));
  EXPECT_EQ(calendar_.gone_by(lost), kNever);
  EXPECT_FALSE(calendar_.overdue_from(lost));
}

// Node n1 has four devices; job 2, without a limit, has one.
TEST_F(CalendarTest, FollowsWhatATrialTakesAndGivesBack) {
  const NodeIndex node = state_.impl().inventory.node_names.find("n1");
  const NodeNeed three{.devices = 3}, four{.devices = 4};
  EXPECT_EQ(calendar_.first_room(calendar_.steps(node), node, three), 0);
  EXPECT_EQ(calendar_.first_room(calendar_.steps(node), node, four), kNoMinute);
  {
    Trial trial(state_.impl());
    trial.take(grant_of(state_, 0b11));
    EXPECT_EQ(calendar_.first_room(calendar_.steps(node), node, three), kNoMinute);
    trial.depart({2});
    EXPECT_EQ(calendar_.steps(node).size(), 2U);
    EXPECT_EQ(calendar_.at(calendar_.steps(node), node, 0, kNone).devices, 1);
    EXPECT_EQ(calendar_.at(calendar_.steps(node), node, 1, kNone).devices, 2)
        << "its grace is over within half a minute";
  }
  EXPECT_EQ(calendar_.first_room(calendar_.steps(node), node, three), 0);
}

TEST_F(CalendarTest, AYieldingJobIsGoneEarlierForTheJobThatStopsIt) {
  const NodeIndex node = state_.impl().inventory.node_names.find("n1");
  const Yielding yielding{.jobs = {{.slot = state_.impl().jobs.slot({2}), .gone = kNow + minutes(3)}}, .nodes = {node}};
  EXPECT_EQ(calendar_.first_room(calendar_.steps(node, yielding), node, {.devices = 4}), 4);
  EXPECT_EQ(calendar_.first_room(calendar_.steps(node), node, {.devices = 4}), kNoMinute);
}

}  // namespace
}  // namespace ym::engine
