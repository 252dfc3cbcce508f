#include "engine/engine.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/testing/sentences.h"
#include "engine/state/impl.h"
#include "scenario/language/world.h"

namespace ym::engine {
namespace {

using ym::testing::expect_sentence;
using ym::testing::kStart;
using ym::testing::World;

Node node(const std::string& name, int gpus) {
  Node row{.name = name, .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli, .memory_bytes = 64 * kGiB};
  for (int i = 0; i < gpus; ++i) row.devices.push_back({.id = std::to_string(i)});
  return row;
}

JobSpec spec(std::int64_t gpus) {
  JobSpec wanted;
  wanted.resources.gpus = gpus * kMilli;
  return wanted;
}

TEST(Decide, TellsItsPhasesInOrder) {
  struct Recorder : PhaseObserver {
    std::vector<std::string> seen;
    void begin(std::string_view phase) override { seen.push_back("+" + std::string(phase)); }
    void end(std::string_view phase) override { seen.push_back("-" + std::string(phase)); }
  } recorder;
  State state;
  decide(state, {}, kStart, &recorder);
  EXPECT_EQ(recorder.seen,
            (std::vector<std::string>{"+order",   "-order",     "+quota",       "-quota",       "+drain",
                                      "-drain",   "+shrink",    "-shrink",      "+place",       "-place",
                                      "+preempt", "-preempt",   "+consolidate", "-consolidate", "+resize",
                                      "-resize",  "+provision", "-provision",   "+explain",     "-explain"}));
}

TEST(Decide, NothingFromNothing) {
  State state;
  const Plan plan = decide(state, {}, kStart);
  EXPECT_EQ(to_text(plan), "version 0\n");
}

TEST(Decide, TimeAloneChangesNothing) {
  World world;
  world.apply(NodeSet{node("n1", 2)});
  world.submit(spec(1), kStart);
  world.submit(spec(4), kStart);
  const std::string first = to_text(decide(world.state(), {}, kStart));
  EXPECT_EQ(first, to_text(decide(world.state(), {}, kStart + hours(1))));
}

TEST(Decide, NoJobHasAReservationWhereThatIsOff) {
  World world;
  world.apply(NodeSet{node("n1", 2)});
  JobSpec limited = spec(2);
  limited.time_limit = hours(1);
  const JobId first = world.submit(limited, kStart);
  std::vector<std::string> problems;
  world.commit(world.decide({}, kStart, problems), problems);
  world.submit(limited, kStart + seconds(1));
  EXPECT_TRUE(world.tables().live_attempt(first));
  EXPECT_EQ(decide(world.state(), {}, kStart + seconds(1)).reservations.size(), 1U);
  EXPECT_TRUE(decide(world.state(), {.reserve_phase = false}, kStart + seconds(1)).reservations.empty());
  EXPECT_TRUE(decide(world.state(), {.place_phase = false}, kStart + seconds(1)).reservations.empty());
}

TEST(Decide, EndlessAgeCapNeverComes) {
  World world;
  world.apply(NodeSet{node("n1", 1)});
  world.submit(spec(1), kStart);
  world.submit(spec(1), kStart);
  const Policy endless{.age_cap = {std::numeric_limits<std::int64_t>::max()}};
  const Plan plan = decide(world.state(), endless, kStart + hours(100'000));
  ASSERT_EQ(plan.verdicts.size(), 1U);
  EXPECT_EQ(plan.dominant(plan.verdicts[0]).code(), ReasonCode::waiting_for_capacity);
}

TEST(State, CopiesAreIndependent) {
  World world;
  world.apply(NodeSet{node("n1", 1)});
  world.submit(spec(1), kStart);
  State copy = world.state();
  const Plan plan = decide(world.state(), {}, kStart);
  std::vector<std::string> problems;
  world.commit(plan, problems);
  EXPECT_EQ(problems, std::vector<std::string>{});
  EXPECT_TRUE(decide(world.state(), {}, kStart).decisions.empty());
  EXPECT_EQ(to_text(decide(copy, {}, kStart)), to_text(plan));
  copy = world.state();
  EXPECT_TRUE(decide(copy, {}, kStart).decisions.empty());
}

TEST(State, KnowsTheLastEvent) {
  World world;
  EXPECT_EQ(world.state().version(), world.tables().last_seq);
  world.submit(spec(1), kStart);
  EXPECT_EQ(world.state().version(), world.tables().last_seq);
  EXPECT_EQ(decide(world.state(), {}, kStart).version, world.tables().last_seq);
  EXPECT_EQ(State::load(world.tables()).version(), world.tables().last_seq);
}

TEST(State, TakesAStartThatBecameKnownLater) {
  World world;
  world.apply(NodeSet{node("n1", 1)});
  const JobId job = world.submit(spec(1), kStart);
  std::vector<std::string> problems;
  world.commit(decide(world.state(), {}, kStart), problems);
  EXPECT_EQ(problems, std::vector<std::string>{});
  world.advance(kStart + minutes(9));
  world.apply(AttemptStarted{world.tables().live_attempt(job)->key(), kStart + minutes(1)});
  EXPECT_EQ(world.state().impl().live.at(job).started_at, kStart + minutes(1));
  EXPECT_EQ(ym::testing::text_of(world.state()), ym::testing::text_of(State::load(world.tables())));
}

TEST(StateDeathTest, RefusesAGapInTheEvents) {
  State state;
  EXPECT_DEATH(state.apply({.seq = 2, .payload = ServerStarted{.epoch = 1}}), "seq");
}

TEST(State, ForgetsJobsThatEnded) {
  World world;
  world.apply(NodeSet{node("n1", 8)});
  for (int round = 0; round < 50; ++round) {
    JobSpec wanted = spec(1 + round % 4);
    wanted.placement.edit().select = {};
    wanted.placement.edit().exclude = {"x" + std::to_string(round)};
    world.submit(wanted, kStart);
    std::vector<std::string> problems;
    const Plan plan = world.decide({}, kStart, problems);
    world.commit(plan, problems);
    EXPECT_EQ(problems, std::vector<std::string>{});
    ASSERT_EQ(plan.decisions.size(), 1U);
    world.end(std::get<Admission>(plan.decisions[0]).job);
  }
  EXPECT_EQ(to_text(decide(world.state(), {}, kStart)), "version " + std::to_string(world.tables().last_seq) + "\n");
}

// Machines with new names that come and go leave nothing behind.
TEST(State, ForgetsNodesThatAreGone) {
  World world;
  for (int round = 0; round < 50; ++round) {
    const std::string name = "spot-" + std::to_string(round);
    world.apply(NodeSet{node(name, 8)});
    world.submit(spec(8), kStart);
    std::vector<std::string> problems;
    const Plan plan = world.decide({}, kStart, problems);
    world.commit(plan, problems);
    ASSERT_EQ(plan.decisions.size(), 1U);
    const bool removed_first = round % 2 == 0;
    if (removed_first) world.apply(NodeRemoved{name});
    world.end(std::get<Admission>(plan.decisions[0]).job);
    if (!removed_first) world.apply(NodeRemoved{name});
    EXPECT_EQ(problems, std::vector<std::string>{});
  }
  EXPECT_EQ(world.state().impl().inventory.rows.size(), 1U);
}

// A reader sees every event, though some of the work is put off.
TEST(State, IsUpToDateForEveryReader) {
  World world;
  FlavorQuota gpus;
  gpus[static_cast<std::size_t>(ResourceKind::gpus)] = Quota{.nominal = 4 * kMilli};
  world.apply(NodeSet{node("n1", 8)});
  world.apply(QueueSet{{.name = "a", .quota = QuotaList{{std::string(kDefaultFlavor), gpus}}}});
  JobSpec wanted = spec(6);
  wanted.queue = "a";
  const JobId job = world.submit(wanted, kStart);
  const Decision admission = Admission{
      .job = job, .cluster = "lab", .flavor = "default", .placement = {{0, "n1", {"0", "1", "2", "3", "4", "5"}}}};
  const State& state = world.state();
  expect_sentence(fits(state, admission, kStart).value());
  gpus[static_cast<std::size_t>(ResourceKind::gpus)]->nominal = 6 * kMilli;
  world.apply(QueueSet{{.name = "a", .quota = QuotaList{{std::string(kDefaultFlavor), gpus}}}});
  EXPECT_EQ(fits(state, admission, kStart), std::nullopt);
  world.apply(QueueSet{{.name = "b"}});
  world.start(std::get<Admission>(admission));
  const auto usage = queue_usage(state);
  ASSERT_FALSE(usage.empty());
  EXPECT_EQ(usage.front(), (QueueUsage{"a", "default", ResourceKind::gpus, 6 * kMilli, 6 * kMilli, 0}));
}

TEST(Fits, DeferralsFitWhileTheJobWaits) {
  World world;
  const JobId job = world.submit(spec(1), kStart);
  const Decision deferral = Deferral{.job = job, .code = ReasonCode::exceeds_capacity};
  EXPECT_EQ(fits(world.state(), deferral, kStart), std::nullopt);
  world.apply(JobHeld{job});
  EXPECT_TRUE(fits(world.state(), deferral, kStart).has_value());
}

}  // namespace
}  // namespace ym::engine
