#include "control/serve/standby_server.h"

#include "base/testing/sentences.h"
#include "control/testing/standby_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_error;
using testing::expect_sentence;
using testing::spec_of;

// A reader of a database that may be away.
class ShakyReader final : public StoreReader {
 public:
  ShakyReader(std::unique_ptr<StoreReader> reader, const bool& away) : reader_(std::move(reader)), away_(away) {}

  Result<std::optional<Job>> job(JobId id) override { return reader_->job(id); }
  Result<std::vector<Job>> jobs(std::span<const JobId> ids) override { return reader_->jobs(ids); }
  Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) override { return reader_->attempts(jobs); }
  Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) override {
    return reader_->jobs(filter, limit);
  }
  Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) override {
    return away_ ? fail(ErrorCode::unavailable, "away") : reader_->events(filter, limit);
  }
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t after, std::size_t limit) override {
    return reader_->stored_events(after, limit);
  }

 private:
  std::unique_ptr<StoreReader> reader_;
  const bool& away_;
};

class Standby : public testing::StandbyTest {
 protected:
  // The standby and the leader have the same job.
  void expect_alike(JobId id) {
    const auto here = standby_->reads().job(self_, id), there = server_->reads().job(self_, id);
    ASSERT_TRUE(here && there);
    EXPECT_EQ(here->job, there->job);
    EXPECT_EQ(here->attempts, there->attempts);
  }
  // The error for a read of a log.
  Error log_error() {
    Result<LogChunk> answer;
    standby_->read_log(self_, {.attempt = {JobId{1}, 1}}, [&](Result<LogChunk> chunk) { answer = std::move(chunk); });
    return answer ? Error{} : answer.error();
  }
};

TEST_F(Standby, AnswersAsTheLeaderDoes) {
  const JobId first = submit("first", 4);
  ASSERT_TRUE(becomes(first, JobState::starting));
  catch_up();
  expect_alike(first);
  const JobId second = submit("second", 4);
  ASSERT_TRUE(eventually(
      [&] { return server_->reads().job(self_, second)->job->pending == ReasonCode::waiting_for_capacity; }));
  const Token token = executor_.launched().at(0).token;
  executor_.report({token, TaskIsRunning{0}});
  executor_.report({token, exits(0)});
  ASSERT_TRUE(becomes(first, JobState::succeeded));
  ASSERT_TRUE(becomes(second, JobState::starting));
  catch_up();
  expect_alike(first);
  expect_alike(second);
  EXPECT_EQ(standby_->reads().jobs(self_, {}, 10)->items.size(), 2U);
  EXPECT_EQ(standby_->reads().jobs(self_, {.states = {JobState::succeeded}}, 10)->items.at(0).job->id, first);
  EXPECT_EQ(*standby_->reads().resolve({.principal = "alice"}, "second"), second);
  EXPECT_EQ(*standby_->reads().resolve({.principal = "alice"}, "first"), first);
  EXPECT_EQ(standby_->reads().stored_events({}, 1000).value(), server_->reads().stored_events({}, 1000).value());
  EXPECT_EQ(standby_->reads().policy(self_).file.age_cap, hours(3));
}

TEST_F(Standby, ShowsQueuesAndNodesAsTheyAreUsed) {
  const JobId id = submit("train", 3);
  ASSERT_TRUE(becomes(id, JobState::starting));
  ASSERT_TRUE(eventually([&] { return !server_->reads().queues(self_).at(0).usage.empty(); }));
  catch_up();
  const auto here = standby_->reads().queues(self_), there = server_->reads().queues(self_);
  ASSERT_EQ(here.size(), there.size());
  EXPECT_EQ(here.at(0).queue, there.at(0).queue);
  EXPECT_EQ(here.at(0).usage, there.at(0).usage);
  EXPECT_EQ(here.at(0).active, 1);
  EXPECT_EQ(standby_->reads().nodes(self_).at(0).used, server_->reads().nodes(self_).at(0).used);
  EXPECT_EQ(standby_->reads().counters(self_).jobs.at({JobState::starting, "default"}), 1);
}

TEST_F(Standby, SaysWhyAJobWaitsAsFarAsItIsStored) {
  submit("runs", 4);
  const JobId waits = submit("waits", 4);
  ASSERT_TRUE(
      eventually([&] { return server_->reads().job(self_, waits)->job->pending == ReasonCode::waiting_for_capacity; }));
  catch_up();
  const auto why = standby_->why(self_, waits);
  EXPECT_EQ(why->dominant->code(), ReasonCode::waiting_for_capacity);
  EXPECT_TRUE(why->code_only);
  EXPECT_FALSE(why->predicted_start);
  EXPECT_EQ(standby_->why(self_, JobId{999}).error().code, ErrorCode::not_found);
}

TEST_F(Standby, RefusesWhatChangesSomethingAndNamesTheLeader) {
  catch_up();
  std::optional<Result<CommandReply>> answer;
  standby_->execute({.principal = "alice"}, SubmitJobs{.specs = {spec_of("train")}},
                    [&](Result<CommandReply> reply) { answer = std::move(reply); });
  ASSERT_TRUE(answer) << "at once";
  const Error error = answer->error();
  expect_error(error, ErrorCode::unavailable, "/leader");
  EXPECT_TRUE(error.retryable);
  EXPECT_EQ(error.fields, (std::vector<FieldError>{{"/leader", "http://a:8470"}}));
  EXPECT_EQ(log_error(), error);
  EXPECT_EQ(standby_->task_link(self_, {JobId{1}, 1}).error(), error);
  std::optional<Result<engine::PolicyDiff>> diff;
  standby_->compare(self_, {}, [&](Result<engine::PolicyDiff> reply) { diff = std::move(reply); });
  EXPECT_EQ(diff->error(), error);
  EXPECT_EQ(standby_->notice(self_, {JobId{1}, 1}).error(), error) << "it may be too new";
  EXPECT_EQ(standby_->reads().not_ready(), error.message);
  standing_ = StandbyServer::behind("a, process 7", "");
  expect_sentence(standby_->reads().not_ready().value());
  standing_ = StandbyServer::behind("", "http://a:8470");
  expect_sentence(standby_->reads().not_ready().value());
  EXPECT_TRUE(log_error().fields.empty());
}

// A server that cannot know whether a task may go on must not give it an answer that decides this.
TEST_F(Standby, TellsPeopleThatTryingAgainIsInVainAndNoTask) {
  standing_ = {.message = "this is a copy", .code = ErrorCode::conflict, .retryable = false};
  catch_up();
  const Error to_people{.code = ErrorCode::conflict, .message = "this is a copy"};
  const Error to_tasks{.code = ErrorCode::unavailable, .message = "this is a copy", .retryable = true};
  const AttemptKey attempt{JobId{1}, 1};
  std::optional<Result<CommandReply>> answer;
  const auto submit_as = [&](const Caller& caller) {
    standby_->execute(caller, SubmitJobs{.specs = {spec_of("train")}},
                      [&](Result<CommandReply> reply) { answer = std::move(reply); });
    return answer->error();
  };
  EXPECT_EQ(submit_as({.principal = "alice"}), to_people);
  EXPECT_EQ(submit_as(Caller::job(attempt)), to_tasks);
  EXPECT_EQ(log_error(), to_people);
  EXPECT_EQ(standby_->task_link(self_, attempt).error(), to_tasks);
  EXPECT_EQ(standby_->notice(self_, attempt).error(), to_tasks);
  EXPECT_EQ(standby_->reads().not_ready(), "this is a copy");
}

TEST_F(Standby, TellsEachEventOnceAndInOrder) {
  std::vector<Event> told;
  catch_up();
  const auto from = standby_->reads().last_seq();
  const auto listening = standby_->reads().listen(
      [&](const std::vector<Event>& events) { told.insert(told.end(), events.begin(), events.end()); });
  for (int i = 0; i < 20; ++i) {
    submit("train");
    ASSERT_TRUE(standby_->follow());
  }
  catch_up();
  EXPECT_EQ(told, server_->reads().stored_events({.after = from}, 1000).value());
}

TEST_F(Standby, KnowsTheTokensThatTheLeaderKnows) {
  catch_up();
  const auto token = make_token_of("bob");
  catch_up();
  EXPECT_EQ(standby_->reads().authenticate(*token.secret)->principal, "bob");
  ASSERT_TRUE(server_->execute_now(RevokeToken{token.token.name}));
  catch_up();
  EXPECT_EQ(standby_->reads().authenticate(*token.secret).error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(standby_->reads().authenticate(Secret("ym_none")).error().code, ErrorCode::unauthenticated);
  const JobId id = submit("train");
  ASSERT_TRUE(becomes(id, JobState::starting));
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 1; }));
  const auto caller = standby_->reads().authenticate(executor_.launched().at(0).contact->token);
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->attempt, (AttemptKey{id, 1}));
  EXPECT_EQ(caller->kind, CallerKind::job);
}

TEST_F(Standby, AnswersNoRequestBeforeItHasReadTheState) {
  const auto token = make_token_of("bob");
  bool away = true;
  auto late = source();
  late.load = [this, &away]() -> Result<LoadedState> {
    return away ? fail(ErrorCode::unavailable, "the database is away") : store_.load();
  };
  standby_ = make_standby(std::move(late));
  EXPECT_EQ(standby_->follow().error().message, "the database is away");
  EXPECT_EQ(standby_->reads().authenticate(*token.secret).error().code, ErrorCode::unavailable);
  away = false;
  EXPECT_TRUE(standby_->follow());
  EXPECT_EQ(standby_->reads().authenticate(*token.secret)->principal, "bob");
}

TEST_F(Standby, WhatWasReadStaysWhileTheDatabaseIsAway) {
  bool away = false;
  auto shaky = source();
  shaky.reader = [&]() -> Result<std::unique_ptr<StoreReader>> {
    return std::make_unique<ShakyReader>(store_.reader().value(), away);
  };
  const JobId id = submit("train");
  standby_ = make_standby(std::move(shaky));
  ASSERT_TRUE(standby_->follow());
  away = true;
  EXPECT_FALSE(standby_->follow());
  EXPECT_EQ(standby_->reads().job(self_, id)->job->name, "train");
}

// A reader of a store that keeps its newest events only.
class Forgetful final : public StoreReader {
 public:
  Forgetful(std::unique_ptr<StoreReader> whole, const std::uint64_t& forgotten)
      : whole_(std::move(whole)), forgotten_(forgotten) {}
  Result<std::optional<Job>> job(JobId id) override { return whole_->job(id); }
  Result<std::vector<Job>> jobs(std::span<const JobId> ids) override { return whole_->jobs(ids); }
  Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) override { return whole_->attempts(jobs); }
  Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) override {
    return whole_->jobs(filter, limit);
  }
  Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) override {
    return whole_->events({.job = filter.job, .after = std::max(filter.after, forgotten_)}, limit);
  }
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t after, std::size_t limit) override {
    return whole_->stored_events(std::max(after, forgotten_), limit);
  }

 private:
  std::unique_ptr<StoreReader> whole_;
  const std::uint64_t& forgotten_;
};

TEST_F(Standby, BeginsAnewWhereEventsAreMissing) {
  std::uint64_t forgotten = 0;
  auto forgetful = source();
  forgetful.reader = [&]() -> Result<std::unique_ptr<StoreReader>> {
    return std::make_unique<Forgetful>(*store_.reader(), forgotten);
  };
  standby_ = make_standby(std::move(forgetful));
  catch_up();
  const JobId id = submit("train");
  ASSERT_TRUE(becomes(id, JobState::starting));
  forgotten = server_->reads().last_seq() - 1;
  catch_up();
  expect_alike(id);
}

}  // namespace
}  // namespace ym
