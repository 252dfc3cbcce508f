#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(Queues, SayFromWhichQueuesTheirJobsReclaimAndWhatSparesThem) {
  const auto read = parse_queues(
      "queues: [{name: a, policy: {reclaim: lower-priority, min_runtime: {priority: 5m, reclaim: 1h}, fence: true, "
      "weight: 0.5}},"
      " {name: b}]");
  ASSERT_TRUE(read) << message(read);
  const Queue& ruled = read->queues.at(0);
  EXPECT_EQ(ruled.reclaim, PreemptRule::lower_priority);
  EXPECT_EQ(ruled.min_runtime, (MinRuntime{.priority = minutes(5), .reclaim = hours(1)}));
  EXPECT_TRUE(ruled.fence);
  EXPECT_EQ(ruled.weight_milli, 500);
  const Queue& plain = read->queues.at(1);
  EXPECT_EQ(plain.reclaim, PreemptRule::any);
  EXPECT_EQ(plain.min_runtime, MinRuntime{});
  EXPECT_EQ(plain.weight_milli, 1000);
  EXPECT_FALSE(plain.fence);
}

TEST(Queues, SayHowTheirJobsFollowEachOther) {
  const auto read = parse_queues(
      "queues: [{name: a, policy: {order: least-attained-service, service_levels: [1h, 2d],"
      " age_boost: {every: 30m, most: 5}}}, {name: b, policy: {order: shortest-first}}, {name: c}]");
  ASSERT_TRUE(read) << message(read);
  const Queue &levels = read->queues.at(0), &plain = read->queues.at(2);
  EXPECT_EQ(levels.order, JobOrder::least_attained_service);
  EXPECT_EQ(levels.service_levels, (std::vector{hours(1), hours(48)}));
  EXPECT_EQ(levels.age_boost, (AgeBoost{.every = minutes(30), .most = 5}));
  EXPECT_EQ(read->queues.at(1).order, JobOrder::shortest_first);
  EXPECT_EQ(plain.order, JobOrder::fifo);
  EXPECT_EQ(plain.age_boost, AgeBoost{});
}

TEST(Queues, SayHowManyOfTheirJobsHoldReservations) {
  const auto read =
      parse_queues("queues: [{name: a, policy: {reservations: 3}}, {name: b, policy: {reservations: all}}, {name: c}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->queues.at(0).reservations, 3);
  EXPECT_EQ(read->queues.at(1).reservations, kAllReserve);
  EXPECT_EQ(read->queues.at(2).reservations, 1);
  expect_refused(parse_queues("queues: [{name: a, policy: {reservations: some}}]"), ErrorCode::invalid,
                 "/queues/0/policy/reservations");
}

TEST(Queues, SayWhatTheirJobsMayCost) {
  const auto read = parse_queues(
      "queues: [{name: a, policy: {budgets: [{gpu_hours: 0.5, per: day}, {money: 200, per: month}]}}, {name: b}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->queues.at(0).budgets,
            (std::vector<Budget>{{.unit = BudgetUnit::gpu_hours, .amount = 1'800'000, .per = BudgetWindow::day},
                                 {.unit = BudgetUnit::money, .amount = 200'000'000, .per = BudgetWindow::month}}));
  EXPECT_TRUE(read->queues.at(1).budgets.empty());
  expect_refused(parse_queues("queues: [{name: a, policy: {budgets: [{gpu_hours: 1, per: year}]}}]"),
                 ErrorCode::invalid, "/queues/0/policy/budgets/0/per");
  expect_refused(parse_queues("queues: [{name: a, policy: {budgets: [{per: day}]}}]"), ErrorCode::invalid,
                 "/queues/0/policy/budgets/0");
  expect_refused(parse_queues("queues: [{name: a, policy: {budgets: [{gpu_hours: 1, money: 1, per: day}]}}]"),
                 ErrorCode::invalid, "/queues/0/policy/budgets/0");
  EXPECT_FALSE(parse_queues("queues: [{name: a, policy: {budgets: [{gpu_hours: 1}]}}]"));
  EXPECT_FALSE(parse_queues("queues: [{name: a, policy: {budgets: [{gpu_hours: -1, per: day}]}}]"));
  EXPECT_FALSE(parse_queues("queues: [{name: a, policy: {budgets: [{gpu_hours: 1e30, per: day}]}}]"));
}

TEST(Queues, SayWhenASmallerQuotaStopsJobsAndWhatTheyPromise) {
  const auto read = parse_queues(
      "queues: [{name: a, policy: {shrink_after: 10m, wait_promises: [{within: 4h}, {priority: 80, within: 30m}]}}]");
  ASSERT_TRUE(read) << message(read);
  const Queue& queue = read->queues.at(0);
  EXPECT_EQ(queue.shrink_after, minutes(10));
  EXPECT_EQ(queue.wait_promises,
            (std::vector<WaitPromise>{{.priority = 0, .within = hours(4)}, {.priority = 80, .within = minutes(30)}}));
  EXPECT_EQ(promised_wait(queue, 50), hours(4));
  EXPECT_EQ(promised_wait(queue, 80), minutes(30));
  EXPECT_EQ(promised_wait(Queue{.name = "b"}, 80), std::nullopt);
  expect_refused(parse_queues("queues: [{name: a, policy: {wait_promises: [{priority: 80}]}}]"), ErrorCode::invalid,
                 "/queues/0/policy/wait_promises/0/within");
}

TEST(Queues, SayFromWhichQueuesTheyBorrowByForce) {
  const auto read = parse_queues("queues: [{name: a, policy: {preempt_to_borrow: {max_priority: 30}}}, {name: b}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->queues.at(0).preempt_to_borrow, 30);
  EXPECT_EQ(read->queues.at(1).preempt_to_borrow, std::nullopt);
  expect_refused(parse_queues("queues: [{name: a, policy: {preempt_to_borrow: {}}}]"), ErrorCode::invalid,
                 "/queues/0/policy/preempt_to_borrow/max_priority");
  expect_refused(parse_queues("queues: [{name: a, policy: {preempt_to_borrow: {max_priority: 101}}}]"),
                 ErrorCode::invalid, "/queues/0/policy/preempt_to_borrow/max_priority");
  expect_refused(parse_queues("queues: [{name: a, policy: {reclaim: never, preempt_to_borrow: {max_priority: 30}}}]"),
                 ErrorCode::invalid, "/queues/0/policy/preempt_to_borrow");
}

TEST(Queues, SayWhatMayRunAtOnce) {
  const auto read =
      parse_queues("queues: [{name: a, policy: {limits: {jobs: 4, gpus: 8, per_user: {gpus: 0.5}}}}, {name: b}]");
  ASSERT_TRUE(read) << message(read);
  const Queue &limited = read->queues.at(0), &plain = read->queues.at(1);
  EXPECT_EQ(limited.run_limit, (RunLimit{.jobs = 4, .gpus_milli = 8000}));
  EXPECT_EQ(limited.user_run_limit, (RunLimit{.jobs = {}, .gpus_milli = 500}));
  EXPECT_EQ(plain.run_limit, RunLimit{});
  expect_refused(parse_queues("queues: [{name: a, policy: {limits: {per_user: {jobs: -1}}}}]"), ErrorCode::invalid,
                 "/queues/0/policy/limits/per_user/jobs");
}

TEST(Queues, SayWhichJobsMayBegin) {
  const auto read =
      parse_queues("queues: [{name: a, policy: {strict: true, fair_users: true, stop: hold-and-drain}}, {name: b}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_TRUE(read->queues.at(0).strict && read->queues.at(0).fair_users);
  EXPECT_EQ(read->queues.at(0).stop, StopPolicy::hold_and_drain);
  EXPECT_FALSE(read->queues.at(1).strict || read->queues.at(1).fair_users);
  EXPECT_EQ(read->queues.at(1).stop, StopPolicy::none);
  expect_refused(parse_queues("queues: [{name: a, policy: {stop: drain}}]"), ErrorCode::invalid,
                 "/queues/0/policy/stop");
}

TEST(Queues, SayHowFlavorsAreTried) {
  const auto read =
      parse_queues("queues: [{name: a, policy: {when_can_borrow: try-next, when_can_preempt: stop}}, {name: b}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->queues.at(0).when_can_borrow, FlavorSearch::try_next);
  EXPECT_EQ(read->queues.at(0).when_can_preempt, FlavorSearch::stop);
  EXPECT_EQ(read->queues.at(1).when_can_borrow, FlavorSearch::stop);
  EXPECT_EQ(read->queues.at(1).when_can_preempt, FlavorSearch::try_next);
  expect_refused(parse_queues("queues: [{name: a, policy: {when_can_borrow: never}}]"), ErrorCode::invalid,
                 "/queues/0/policy/when_can_borrow");
}

TEST(Queues, SayWhatIsWrongWithTheirOrder) {
  const auto wrong = [](const std::string& policy) {
    return parse_queues("queues: [{name: a, policy: {" + policy + "}}]");
  };
  expect_refused(wrong("service_levels: [1h]"), ErrorCode::invalid, "/queues/0/policy/service_levels");
  expect_refused(wrong("order: least-attained-service, service_levels: [2h, 1h]"), ErrorCode::invalid,
                 "/queues/0/policy/service_levels/1");
  expect_refused(wrong("age_boost: {every: 1h}"), ErrorCode::invalid, "/queues/0/policy/age_boost/most");
  expect_refused(wrong("age_boost: {every: 1h, most: 200}"), ErrorCode::invalid, "/queues/0/policy/age_boost/most");
}

TEST(Queues, SayForWhichUsersTheyAreTheDefault) {
  const auto read = parse_queues(
      "queues: [{name: org, children: [{name: a, default_for: {users: [ann, 'bob@lab'], projects: [vision]}}]},"
      " {name: b, default_for: {users: [vision]}}, {name: c}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->queues.at(1).default_for, (DefaultFor{.users = {"ann", "bob@lab"}, .projects = {"vision"}}));
  EXPECT_EQ(read->queues.at(2).default_for, (DefaultFor{.users = {"vision"}, .projects = {}}))
      << "a user may be called as a project is";
  EXPECT_EQ(read->queues.at(3).default_for, DefaultFor());
}

TEST(Queues, AreNotTheDefaultOfAUserThatHasAnother) {
  expect_refused(parse_queues("queues:\n- {name: a, default_for: {users: [ann]}}\n"
                              "- {name: b, default_for: {users: [bob, ann]}}"),
                 ErrorCode::invalid, "/queues/1/default_for/users/1");
  EXPECT_EQ(pointer(parse_queues("queues: [{name: a, children: [{name: b, default_for: {projects: [p]}},"
                                 " {name: c, default_for: {projects: [p]}}]}]")),
            "/queues/0/children/1/default_for/projects/0");
  expect_refused(parse_queues("queues: [{name: a, default_for: {users: [ann]}, children: [{name: b}]}]"),
                 ErrorCode::invalid, "/queues/0/default_for");
  expect_refused(parse_queues("queues: [{name: a, default_for: {users: ['']}}]"), ErrorCode::invalid,
                 "/queues/0/default_for/users/0");
  expect_refused(parse_queues("queues: [{name: a, default_for: {user: [ann]}}]"), ErrorCode::invalid,
                 "/queues/0/default_for/user");
}

}  // namespace
}  // namespace ym::spec
