// The server's threads: requests from any thread are carried out without further calls.
#include "control/serve/server.h"

#include <numeric>

#include "base/testing/sentences.h"
#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::expect_refused;
using testing::one_node;
using testing::spec_of;

class Server : public testing::ControlServerTest {};

TEST_F(Server, AJobIsDecidedLaunchedAndSeenToItsEnd) {
  const JobId id = submit("train");
  ASSERT_TRUE(becomes(id, JobState::starting));
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 1; }));
  const Token token = executor_.launched().at(0).token;
  executor_.report({token, TaskIsRunning{0}});
  executor_.report({token, testing::exits(0)});
  ASSERT_TRUE(becomes(id, JobState::succeeded));
  EXPECT_EQ(server_->reads().job(self_, id)->attempts.size(), 1U);
  EXPECT_EQ(server_->live_jobs(), 0U);
}

// A configured node is healthy at first. Its executor reports at its start what holds devices of it.
TEST_F(Server, WhatExecutorsSayAtTheirStartIsHeardBeforeTheFirstPlan) {
  const Observation held{{}, DevicesAreUnhealthy{.node = "n1", .devices = {{"0", "held"}}, .message = "held"}};
  executor_.report(held);
  const JobId id = submit("train", 4);
  const auto waits = [&] { return server_->reads().job(self_, id)->job->pending != ReasonCode::pending_evaluation; };
  ASSERT_TRUE(eventually(waits));
  executor_.report_at_start({held});
  start();
  executor_.report({{}, DevicesAreUnhealthy{.node = "n1", .devices = {{"1", "held"}}, .message = "held"}});
  ASSERT_TRUE(eventually([&] { return !server_->reads().nodes(self_).at(0).node.devices.at(1).healthy; }));
  EXPECT_EQ(server_->reads().job(self_, id)->job->state, JobState::queued);
  EXPECT_TRUE(executor_.launched().empty());
  executor_.report({{}, DevicesAreUnhealthy{.node = "n1", .devices = {}, .message = "free"}});
  EXPECT_TRUE(becomes(id, JobState::starting));
}

// Its wait begins with its release, not with its submit.
TEST_F(Server, HowLongAJobWaitedIsCountedWhenItIsAdmitted) {
  const JobId blocker = submit("blocker", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const double before = server_->reads().counters(self_).admission_waits.at("default").sum_seconds;
  const JobId next = submit("next", 4);
  ASSERT_TRUE(execute(HoldJob{next}));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const Instant earliest = clock_.now();
  ASSERT_TRUE(execute(ReleaseJob{next}));
  const Instant latest = clock_.now();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Instant freed = clock_.now();
  executor_.report({executor_.launched().at(0).token, testing::exits(0)});
  ASSERT_TRUE(becomes(next, JobState::starting));
  const auto waits = server_->reads().counters(self_).admission_waits;
  EXPECT_EQ(std::accumulate(waits.at("default").count.begin(), waits.at("default").count.end(), std::int64_t{0}), 2);
  EXPECT_GE(waits.at("default").sum_seconds - before, static_cast<double>((freed - latest).ms - 1) / 1000);
  EXPECT_LE(waits.at("default").sum_seconds - before, static_cast<double>((clock_.now() - earliest).ms + 1) / 1000);
}

// A queue's own age cap is not set here, so the policy's counts.
TEST_F(Server, APolicyTakesEffectWhenItIsReloaded) {
  const JobId blocker = submit("blocker", 3);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId head = submit("head", 4);
  ASSERT_TRUE(
      eventually([&] { return server_->reads().job(self_, head)->job->pending == ReasonCode::waiting_for_capacity; }));
  server_->reconfigure(one_node(), {.age_cap = Duration{1}});
  ASSERT_TRUE(eventually([&] {
    const JobId small = submit("small", 1);
    const bool passed = eventually([&] {
                          const Job state = server_->reads().job(self_, small)->job;
                          return state.state != JobState::queued || state.pending != ReasonCode::pending_evaluation;
                        }) &&
                        server_->reads().job(self_, small)->job->state != JobState::queued;
    if (passed) {
      for (const auto& launch : executor_.launched())
        if (launch.token.job == small) executor_.report({launch.token, testing::exits(0)});
    }
    return !passed;
  })) << "the head is past its age cap now and blocks those behind it";
}

// If no job can start, a cycle for each new job would take the core of the threads that answer submits.
TEST_F(Server, NewJobsThatCannotStartShareCycles) {
  const JobId blocker = submit("blocker", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId first = submit("first", 4);
  ASSERT_TRUE(
      eventually([&] { return server_->reads().job(self_, first)->job->pending == ReasonCode::waiting_for_capacity; }));
  const auto cycles = [&] {
    const auto counted = server_->reads().counters(self_).cycles.count;
    return std::accumulate(counted.begin(), counted.end(), std::int64_t{0});
  };
  const auto before = cycles();
  const auto begin = std::chrono::steady_clock::now();
  JobId last = first;
  for (int i = 0; i < 200; ++i) last = submit("next", 4);
  const auto rests = (std::chrono::steady_clock::now() - begin) / std::chrono::milliseconds(10);
  EXPECT_LE(cycles() - before, rests + 5);
  EXPECT_TRUE(
      eventually([&] { return server_->reads().job(self_, last)->job->pending == ReasonCode::waiting_for_capacity; }));
  executor_.report({executor_.launched().at(0).token, testing::exits(0)});
  EXPECT_TRUE(becomes(first, JobState::starting));
}

TEST_F(Server, WhatIsRefusedWhenItIsReloadedDoesNotComeIntoForce) {
  const JobId running = submit("running", 1);
  ASSERT_TRUE(becomes(running, JobState::starting));
  std::atomic<bool> refused = false, accepted = false;
  server_->reconfigure({}, {}, {}, [&] { refused = true; });
  server_->reconfigure(one_node(), {}, {}, [&] { accepted = true; });
  ASSERT_TRUE(eventually([&] { return accepted.load(); }));
  EXPECT_FALSE(refused) << "the job's cluster is not in it";
}

TEST_F(Server, WhyTellsTheReasonAndTheJobAhead) {
  const JobId blocker = submit("blocker", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId first = submit("first", 4);
  const JobId second = submit("second", 4);
  ASSERT_TRUE(eventually([&] {
    const auto why = server_->why(self_, second);
    return why && why->dominant && why->dominant->code() == ReasonCode::waiting_for_capacity && why->ahead_total == 1;
  }));
  EXPECT_EQ(server_->why(self_, second)->ahead.at(0).id, first);
  EXPECT_EQ(server_->why(self_, second)->state, JobState::queued);
  EXPECT_FALSE(server_->why(self_, blocker)->dominant) << "it does not wait";
  EXPECT_EQ(server_->why(self_, blocker)->state, JobState::starting);
  EXPECT_EQ(server_->why(self_, JobId{999}).error().code, ErrorCode::not_found);
}

TEST_F(Server, NamesAreTheCallersNewestUnfinishedJob) {
  const JobId first = submit("same", 4);
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 1; }));
  const JobId second = submit("same", 4);
  const Caller alice{.principal = "alice"};
  EXPECT_EQ(server_->reads().resolve(alice, "same"), second);
  ASSERT_TRUE(execute(CancelJob{second}));
  EXPECT_EQ(server_->reads().resolve(alice, "same"), first);
  EXPECT_EQ(server_->reads().resolve(alice, to_string(second)), second) << "one that has ended is found by its id";
  ASSERT_TRUE(execute(CancelJob{first}));
  executor_.report({executor_.launched().at(0).token, testing::exits(0)});
  ASSERT_TRUE(becomes(first, JobState::cancelled));
  EXPECT_EQ(server_->reads().resolve(alice, "same"), second)
      << "nothing unfinished has the name: the newest that ended";
  EXPECT_EQ(server_->reads().resolve({.principal = "bob"}, "same").error().code, ErrorCode::not_found);
}

TEST_F(Server, TheNameOfAnArrayLeadsToItsGroup) {
  const Caller alice{.principal = "alice"};
  auto sweep = spec_of("sw", 4);
  sweep.array = 3;
  const auto made = execute(SubmitJobs{.specs = {sweep}})->jobs;
  const GroupId group = *made.at(0)->group;
  expect_refused(server_->reads().resolve(alice, "sw"), ErrorCode::ambiguous);
  EXPECT_EQ(server_->reads().resolve(alice, to_string(group)).error().code, ErrorCode::ambiguous);
  EXPECT_EQ(server_->reads().resolve_group(alice, "sw"), group);
  EXPECT_EQ(server_->reads().resolve_group(alice, to_string(group)), group);
  EXPECT_EQ(server_->reads().resolve_group(alice, "sw-0").error().code, ErrorCode::not_found);
  EXPECT_EQ(server_->reads().resolve_group({.principal = "bob"}, "sw").error().code, ErrorCode::not_found);
  EXPECT_EQ(server_->reads().resolve(alice, "sw[1]"), made.at(1)->id);
  EXPECT_EQ(server_->reads().resolve(alice, to_string(group) + "[2]"), made.at(2)->id);
  EXPECT_EQ(server_->reads().resolve(alice, "sw[3]").error().code, ErrorCode::not_found);
  EXPECT_EQ(server_->reads().resolve(alice, "sw[0-1]").error().code, ErrorCode::invalid);
  ASSERT_TRUE(execute(CancelJob{made.at(1)->id}));
  EXPECT_EQ(server_->reads().resolve_group(alice, "sw"), group) << "also when members have ended";
  const JobId again = execute(RetryJob{made.at(1)->id})->jobs.at(0)->id;
  EXPECT_EQ(server_->reads().resolve(alice, "sw[1]"), again) << "the newest of its index";
  ASSERT_TRUE(execute(CancelJob{again}));
  ASSERT_TRUE(execute(CancelJob{made.at(2)->id}));
  ASSERT_TRUE(execute(CancelJob{made.at(0)->id}));
  (void)eventually([&] { return executor_.launched().empty() || !executor_.stopped().empty(); });
  for (const auto& launch : executor_.launched()) executor_.report({launch.token, testing::exits(0)});
  ASSERT_TRUE(becomes(made.at(0)->id, JobState::cancelled));
  EXPECT_EQ(server_->reads().resolve_group(alice, "sw"), group) << "also when all have";
  EXPECT_EQ(server_->reads().resolve(alice, "sw").error().code, ErrorCode::ambiguous);
}

TEST_F(Server, AJobWithANumberInItsNameMakesNoArray) {
  submit("exp-0", 4);
  expect_refused(server_->reads().resolve({.principal = "alice"}, "exp"), ErrorCode::not_found);
}

TEST_F(Server, PagesHoldLiveAndEndedJobsNewestFirst) {
  std::vector<JobId> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(submit("job", 4));
  ASSERT_TRUE(execute(CancelJob{ids[2]}));
  ASSERT_TRUE(execute(CancelJob{ids[4]}));
  std::vector<JobId> seen;
  JobFilter filter;
  for (int pages = 0; pages < 10; ++pages) {
    const auto page = server_->reads().jobs(self_, filter, 2);
    ASSERT_TRUE(page);
    for (const auto& view : page->items) seen.push_back(view.job->id);
    if (!page->next) break;
    filter.before = page->next;
  }
  EXPECT_EQ(seen, std::vector<JobId>(ids.rbegin(), ids.rend()));
}

TEST_F(Server, ListenersHearEveryEventOnceInOrder) {
  std::mutex mutex;
  std::vector<std::uint64_t> heard;
  const auto from = server_->reads().last_seq();
  const auto handle = server_->reads().listen([&](const std::vector<Event>& events) {
    const std::lock_guard lock(mutex);
    for (const auto& event : events) heard.push_back(event.seq);
  });
  for (int i = 0; i < 20; ++i) submit("job", 4);
  const auto size = [&] {
    const std::lock_guard lock(mutex);
    return heard.size();
  };
  ASSERT_TRUE(eventually([&] { return size() >= 40; }));
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < heard.size(); ++i) EXPECT_EQ(heard[i], from + 1 + i);
}

TEST_F(Server, TokensAreKnownByHashOnly) {
  const auto token = make_token_of("alice");
  EXPECT_EQ(server_->reads().authenticate(*token.secret)->principal, "alice");
  EXPECT_EQ(server_->reads().authenticate(Secret("ym_wrong")).error().code, ErrorCode::unauthenticated);
  start();
  EXPECT_EQ(server_->reads().authenticate(*token.secret)->principal, "alice") << "also after a restart";
  for (const auto& [id, row] : store_.load()->tables.access_tokens)
    EXPECT_EQ(row.hash.find(token.secret->reveal()), std::string::npos);
}

TEST_F(Server, ManyClientsAtOnce) {
  constexpr int kClients = 8;
  constexpr int kEach = 50;
  std::vector<std::thread> clients;
  std::atomic<int> accepted = 0;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&] {
      for (int i = 0; i < kEach; ++i)
        if (execute(SubmitJobs{.specs = {spec_of("job", 4)}})) ++accepted;
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(accepted, kClients * kEach);
  EXPECT_EQ(server_->live_jobs(), static_cast<std::size_t>(kClients * kEach));
}

}  // namespace
}  // namespace ym
