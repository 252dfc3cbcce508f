#include "engine/plan_audit.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "engine/testing/small_state.h"

namespace ym::engine {
namespace {

using ym::testing::expect_sentence;

constexpr Instant kNow{minutes(10).ms};

// Job 1 waits for two GPUs of node n1. Job 2 has one of them and no time limit.
Plan waiting_for(ReasonCode code) {
  Plan plan;
  const ReasonIndex reason = plan.reasons.push_back({OnlyCode{code}});
  const AnswerIndex answer = plan.answers.push_back({.dominant = reason});
  plan.verdicts = {{.job = {1}, .answer = answer}};
  plan.decisions = {Deferral{.job = {1}, .code = code, .answer = answer}};
  return plan;
}

std::optional<std::string> reasons_of(const Plan& plan) { return decision_without_reason(small_world(), {}, plan); }

TEST(PlanAudit, EachWhoWaitsIsToldWhy) {
  const Plan right = waiting_for(ReasonCode::waiting_for_capacity);
  EXPECT_EQ(reasons_of(right), std::nullopt);

  expect_sentence(reasons_of({}).value());

  Plan both = right;
  both.decisions.emplace_back(Admission{.job = {1}});
  expect_sentence(reasons_of(both).value());

  State cancelled = small_world();
  cancelled.impl().jobs.at({1}).cancel_requested = true;
  Plan begins;
  begins.decisions.emplace_back(Admission{.job = {1}});
  expect_sentence(decision_without_reason(cancelled, {}, begins).value());

  Plan twice = right;
  twice.verdicts.push_back(twice.verdicts.front());
  expect_sentence(reasons_of(twice).value());

  Plan runs = right;
  runs.verdicts.push_back({.job = {2}, .answer = AnswerIndex{0}});
  expect_sentence(reasons_of(runs).value());

  Plan unsaid = right;
  unsaid.decisions.clear();
  expect_sentence(reasons_of(unsaid).value());
}

TEST(PlanAudit, ReasonsAreThere) {
  Plan nothing = waiting_for(ReasonCode::waiting_for_capacity);
  nothing.answers.back().also = {ReasonIndex{1}};
  expect_sentence(reasons_of(nothing).value());

  Plan other = waiting_for(ReasonCode::waiting_for_capacity);
  std::get<Deferral>(other.decisions.front()).code = ReasonCode::waiting_for_quota;
  expect_sentence(reasons_of(other).value());

  State knows = small_world();
  knows.impl().jobs.at({1}).pending = ReasonCode::waiting_for_capacity;
  const Plan again = waiting_for(ReasonCode::waiting_for_capacity);
  expect_sentence(decision_without_reason(knows, {}, again).value());
}

TEST(PlanAudit, EachWhoKeepsWhatIsLentIsToldOf) {
  Plan lent = waiting_for(ReasonCode::waiting_for_quota);
  LentOut& what = lent.reasons.back().lent.emplace();
  what.lent = {4000, Unit::thousandths};
  what.lent_to_jobs = 3;
  what.fenced = 1;
  what.no_nodes = 2;
  EXPECT_EQ(reasons_of(lent), std::nullopt);
  what.no_nodes = 1;
  expect_sentence(reasons_of(lent).value());
}

TEST(PlanAudit, WhoIsStoppedRunsAndIsStoppedOnce) {
  Plan stops = waiting_for(ReasonCode::preemption_pending);
  const Preemption right{.job = {1}, .victims = {{.job = {2}, .attempt = 1}}, .kept_for = seconds(30)};
  stops.decisions.emplace_back(right);
  EXPECT_EQ(reasons_of(stops), std::nullopt);

  Plan idle = stops;
  std::get<Preemption>(idle.decisions.back()).job = {2};
  expect_sentence(reasons_of(idle).value());

  Plan twice = stops;
  twice.decisions.emplace_back(Eviction{.job = {2}, .attempt = 1, .queue = "q"});
  expect_sentence(reasons_of(twice).value());

  Plan other = stops;
  std::get<Preemption>(other.decisions.back()).victims.front().attempt = 2;
  expect_sentence(reasons_of(other).value());

  Plan nobodys = waiting_for(ReasonCode::preemption_pending);
  nobodys.decisions.emplace_back(Eviction{.job = {2}, .attempt = 1, .queue = "gone"});
  expect_sentence(reasons_of(nobodys).value());

  Plan fleeting = stops;
  std::get<Preemption>(fleeting.decisions.back()).kept_for = {};
  expect_sentence(reasons_of(fleeting).value());

  Plan silent = waiting_for(ReasonCode::waiting_for_capacity);
  silent.decisions.emplace_back(NominationRelease{.job = {1}});
  expect_sentence(reasons_of(silent).value());
}

// Job 3 also waits, for two GPUs and one hour.
State two_wait(std::int32_t priority = 50) {
  State state = small_world();
  Job job;
  job.id = {3};
  job.priority = priority;
  job.queue = "q";
  JobSpec spec;
  spec.resources.gpus = 2 * kMilli;
  spec.time_limit = hours(1);
  spec.stop.grace = {};
  job.spec = std::make_shared<const JobSpec>(spec);
  state.apply(event(7, JobSubmitted{job}));
  return state;
}

Plan promised_beside(Instant from, std::optional<JobId> begins) {
  Plan plan;
  plan.reservations = {{.job = {1}, .cluster = "c", .flavor = "default", .from = from, .nodes = {"n1"}}};
  if (begins)
    plan.decisions = {
        Admission{.job = *begins, .cluster = "c", .flavor = "default", .placement = {{0, "n1", {"0", "1"}}}}};
  return plan;
}

const Policy kNobodyYields{.start_allowance = {}, .preempt_phase = false};

std::optional<std::string> promise_of(Instant from, std::optional<JobId> begins) {
  return broken_promise(two_wait(), kNobodyYields, promised_beside(from, begins), kNow);
}

TEST(PlanAudit, PromisesHoldBesideWhoeverBegins) {
  EXPECT_EQ(promise_of(kNow + minutes(59), std::nullopt), std::nullopt);
  EXPECT_EQ(promise_of(kNow + minutes(60), JobId{3}), std::nullopt);
  expect_sentence(promise_of(kNow + minutes(59), JobId{3}).value());
  expect_sentence(promise_of(kNow + minutes(60), JobId{1}).value());
}

TEST(PlanAudit, WhoMayBeStoppedForAHolderMayBeThere) {
  const Plan plan = promised_beside(kNow + minutes(30), JobId{3});
  EXPECT_EQ(broken_promise(two_wait(49), {}, plan, kNow), std::nullopt);
  expect_sentence(broken_promise(two_wait(), {}, plan, kNow).value());  // not one as urgent

  State spared = two_wait(49);
  spared.impl().jobs.at({3}).min_runtime = minutes(30);
  expect_sentence(broken_promise(spared, {}, plan, kNow).value());  // not before it has run for so long

  State steady = two_wait(49);
  steady.impl().jobs.at({3}).preemptible = false;
  expect_sentence(broken_promise(steady, {}, plan, kNow).value());
}

TEST(PlanAudit, PromisesHoldBesideWhatIsKept) {
  Plan plan = promised_beside(kNow + minutes(59), std::nullopt);
  Preemption made{.job = {3}, .placement = {{0, "n1", {"0", "1"}}}, .kept_for = seconds(30)};
  plan.decisions = {made};
  expect_sentence(broken_promise(two_wait(), kNobodyYields, plan, kNow).value());
  plan.reservations.front().from = kNow + minutes(60);
  EXPECT_EQ(broken_promise(two_wait(), kNobodyYields, plan, kNow), std::nullopt);
  plan.reservations.front().from = kNow + minutes(59);
  made.victims = {{.job = {2}, .attempt = 1}};
  plan.decisions = {made};
  EXPECT_EQ(broken_promise(two_wait(), kNobodyYields, plan, kNow), std::nullopt) << "who is stopped is not there";

  State kept = two_wait();
  kept.apply(event(8, PlacementNominated{.job = {3},
                                         .hold = {.cluster = "c",
                                                  .flavor = "default",
                                                  .placement = {{0, "n1", {"0", "1"}}},
                                                  .victims = {},
                                                  .expires_at = kNow + minutes(1)}}));
  const Plan beside = promised_beside(kNow + minutes(59), std::nullopt);
  EXPECT_NE(broken_promise(kept, kNobodyYields, beside, kNow), std::nullopt);
  Plan released = beside;
  released.decisions = {NominationRelease{.job = {3}, .why = "it is over"}};
  EXPECT_EQ(broken_promise(kept, kNobodyYields, released, kNow), std::nullopt);
}

TEST(PlanAudit, PromisesHoldBesideOthers) {
  Plan plan = promised_beside(kNow + minutes(10), std::nullopt);
  plan.reservations.push_back({.job = {3}, .from = kNow + minutes(5), .until = kNow + minutes(10), .nodes = {"n1"}});
  EXPECT_EQ(broken_promise(two_wait(), kNobodyYields, plan, kNow), std::nullopt);
  plan.reservations.back().until = kNow + minutes(11);
  expect_sentence(broken_promise(two_wait(), kNobodyYields, plan, kNow).value());
}

}  // namespace
}  // namespace ym::engine
