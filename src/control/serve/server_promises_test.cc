// Wait promises of queues, budgets and deadlines in the server's answers.
#include <numeric>

#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class ServerPromises : public testing::ControlServerTest {
 protected:
  void apply(Queue queue) { ASSERT_TRUE(execute(ApplyQueues{.queues = {std::move(queue)}})); }
  JobId submit_to(const std::string& queue, int gpus, std::function<void(JobSpec&)> change = [](JobSpec&) {}) {
    JobSpec spec = spec_of("job", gpus);
    spec.queue = queue;
    spec.time_limit = hours(1);
    change(spec);
    return execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id;
  }
  void finish(std::size_t launched) {
    ASSERT_TRUE(eventually([&] { return executor_.launched().size() > launched; }));
    const Token token = executor_.launched().at(launched).token;
    executor_.report({token, TaskIsRunning{0}});
    executor_.report({token, testing::exits(0)});
  }
};

TEST_F(ServerPromises, WhetherTheyAreKeptIsCountedAndSaid) {
  apply({.name = "fast",
         .wait_promises = {{.priority = 0, .within = hours(9)}, {.priority = 80, .within = Duration{1}}}});
  const JobId blocker = submit_to("fast", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  EXPECT_EQ((server_->reads().counters(self_).wait_promises.at({"fast", true})), 1);
  const JobId urgent = submit_to("fast", 4, [](JobSpec& spec) { spec.priority = 80; });
  ASSERT_TRUE(eventually([&] { return server_->reads().counters(self_).overdue_waits.at("fast") == 1; }));
  const auto promise = server_->why(self_, urgent)->promise;
  ASSERT_TRUE(promise);
  EXPECT_EQ(promise->within, Duration{1});
  EXPECT_EQ(promise->by, server_->reads().job(self_, urgent)->job->submitted_at + Duration{1});
  finish(0);
  ASSERT_TRUE(becomes(urgent, JobState::starting));
  EXPECT_EQ((server_->reads().counters(self_).wait_promises.at({"fast", false})), 1);
  EXPECT_EQ(server_->reads().counters(self_).overdue_waits.at("fast"), 0);
}

TEST_F(ServerPromises, DeadlinesAreJudgedAndThoseMetAreCounted) {
  const auto by = [&](Duration time) { return [this, time](JobSpec& spec) { spec.deadline = clock_.now() + time; }; };
  const JobId first = submit_to("default", 4, by(hours(2)));
  ASSERT_TRUE(becomes(first, JobState::starting));
  EXPECT_EQ(server_->why(self_, first)->deadline->outcome, engine::DeadlineVerdict::Outcome::feasible);
  const JobId second = submit_to("default", 4, by(minutes(30)));
  ASSERT_TRUE(eventually([&] { return server_->why(self_, second)->deadline.has_value(); }));
  EXPECT_EQ(server_->why(self_, second)->deadline->outcome, engine::DeadlineVerdict::Outcome::infeasible);
  finish(0);
  ASSERT_TRUE(becomes(first, JobState::succeeded));
  EXPECT_EQ((server_->reads().counters(self_).deadlines.at({"default", true})), 1);
}

TEST_F(ServerPromises, WhatBudgetsHoldIsShown) {
  apply({.name = "poor",
         .budgets = {{.unit = BudgetUnit::gpu_hours, .amount = hours(6).ms, .per = BudgetWindow::month}}});
  const auto used = [&] {
    for (const auto& view : server_->reads().queues(self_))
      if (view.queue.name == "poor" && !view.budgets_used.empty()) return view.budgets_used.front();
    return std::int64_t{-1};
  };
  const JobId first = submit_to("poor", 4);
  ASSERT_TRUE(becomes(first, JobState::starting));
  ASSERT_TRUE(eventually([&] { return used() == hours(4).ms; }));
  const JobId second = submit_to("poor", 3);
  ASSERT_TRUE(
      eventually([&] { return server_->reads().job(self_, second)->job->pending == ReasonCode::budget_exhausted; }));
  finish(0);
  ASSERT_TRUE(becomes(second, JobState::starting));
  ASSERT_TRUE(eventually([&] { return used() >= hours(3).ms && used() < hours(4).ms; }));
}

TEST_F(ServerPromises, ReservationsAreShownUntilTheyAreGivenBack) {
  AdvanceReservation disks{.name = "disks", .from = clock_.now(), .until = clock_.now() + hours(1), .nodes = {"n1"}};
  ASSERT_TRUE(execute(CreateReservation{{.wanted = disks}}));
  disks.created_by = "alice";
  EXPECT_EQ(server_->reads().reservations(self_), std::vector{disks});
  const JobId waits = submit_to("default", 1);
  ASSERT_TRUE(eventually([&] { return server_->reads().job(self_, waits)->job->pending == ReasonCode::reserved; }));
  ASSERT_TRUE(execute(RemoveReservation{"disks"}));
  EXPECT_TRUE(server_->reads().reservations(self_).empty());
  EXPECT_TRUE(becomes(waits, JobState::starting));
}

}  // namespace
}  // namespace ym
