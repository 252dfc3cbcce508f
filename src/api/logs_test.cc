// Logs: read completely, in part, and while they are written.
#include "api/routes/log_stream.h"
#include "api/testing/fixture.h"
#include "api/user_guard.h"
#include "base/testing/sentences.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::RawClient;
using ym::testing::running_attempt;
using ym::testing::simple_spec;

class Logs : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    auto spec = simple_spec();
    spec.nodes = 2;
    job_ = backend.add_job(spec).id;
  }
  std::string path(const std::string& query = "") { return "/api/v1/jobs/" + to_string(job_) + "/logs" + query; }
  AttemptKey first() const { return {job_, 1}; }
  void run_first() {
    backend.add_attempt(running_attempt(job_));
    backend.set_state(job_, JobState::running);
  }
  void follow(RawClient& client, const std::string& query) {
    client.send(ym::testing::to_bytes({.target = path("?follow=1" + query), .token = kAdmin}));
  }

  JobId job_;
};

TEST_F(Logs, AnElasticJobHasTheRanksOfItsAttempt) {
  auto spec = simple_spec();
  spec.nodes = 4;
  spec.min_nodes = 1;
  job_ = backend.add_job(spec).id;
  run_first();  // with one task
  backend.write_log(first(), 0, "one\n", true);
  EXPECT_EQ(get(path("?rank=0")).body, "one\n");
  const auto beyond = get(path("?rank=1"));
  EXPECT_EQ(beyond.status, 404);
  EXPECT_EQ(code_of(beyond), "not_found");
  ym::testing::expect_sentence(ym::testing::text_at(ym::testing::parse_json(beyond.body), "/detail"));
}

TEST_F(Logs, AreTextAndNothingElse) {
  run_first();
  backend.write_log(first(), 0, "<script>alert(1)</script>\n", true);
  const auto reply = get(path());
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.at("content-type"), "text/plain; charset=utf-8");
  EXPECT_EQ(reply.headers.at("x-content-type-options"), "nosniff");
  EXPECT_EQ(reply.headers.at("log-offset"), "0");
  EXPECT_EQ(reply.body, "<script>alert(1)</script>\n");
}

TEST_F(Logs, WithoutFollowWhatIsThereNowIsAll) {
  run_first();
  backend.write_log(first(), 0, "so far\n", false);
  EXPECT_EQ(get(path()).body, "so far\n");
}

TEST_F(Logs, ChooseAttemptRankAndPart) {
  run_first();
  auto second = running_attempt(job_, 2);
  backend.add_attempt(second);
  backend.write_log(first(), 0, "one\n", true);
  backend.write_log({job_, 2}, 0, "a\nb\nc\n", true);
  backend.write_log({job_, 2}, 1, "rank one\n", true);
  EXPECT_EQ(get(path()).body, "a\nb\nc\n");
  EXPECT_EQ(get(path("?attempt=1")).body, "one\n");
  EXPECT_EQ(get(path("?rank=1")).body, "rank one\n");
  EXPECT_EQ(get(path("?tail=2")).body, "b\nc\n");
  EXPECT_EQ(get(path("?tail=2")).headers.at("log-offset"), "2");
  EXPECT_EQ(get(path("?offset=4")).body, "c\n");
  EXPECT_EQ(get(path("?offset=400")).body, "");
}

TEST_F(Logs, ALargeLogComesWhole) {
  run_first();
  std::string large;
  for (int i = 0; large.size() < 3'000'000; ++i) large += fmt::format("line {}\n", i);
  backend.write_log(first(), 0, large, true);
  EXPECT_EQ(get(path()).body, large);
}

TEST_F(Logs, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(get(path()).status, 404);
  run_first();
  EXPECT_EQ(get(path()).status, 404);
  for (const auto* query : {"?attempt=2", "?rank=2", "?attempt=2&follow=1"})
    EXPECT_EQ(get(path(query)).status, 404) << query;
  for (const auto* query :
       {"?attempt=0", "?rank=-1", "?tail=x", "?tail=1&offset=1", "?follow=maybe", "?offset=1e3", "?rank=99999999999"}) {
    EXPECT_EQ(get(path(query)).status, 400) << query;
  }
}

TEST_F(Logs, FollowEndsWithTheTask) {
  run_first();
  backend.write_log(first(), 0, "one\n", false);
  RawClient client(port());
  follow(client, "");
  ASSERT_TRUE(client.read_until("one\n"));
  backend.write_log(first(), 0, "two\n", false);
  ASSERT_TRUE(client.read_until("two\n"));
  backend.write_log(first(), 0, "three\n", true);
  ASSERT_TRUE(client.read_until("three\n"));
  EXPECT_TRUE(client.read_until("0\r\n\r\n"));
}

TEST_F(Logs, FollowWaitsForTheFirstAttemptAndItsLog) {
  RawClient client(port());
  follow(client, "");
  ASSERT_EQ(client.read_head()->status, 200);
  run_first();
  backend.write_log(first(), 0, "at last\n", true);
  EXPECT_TRUE(client.read_until("at last\n"));
  EXPECT_TRUE(client.read_until("0\r\n\r\n"));
}

// Attempt numbers have gaps if the state was set back.
TEST_F(Logs, FollowWaitsForTheLogOfAnAttemptBehindAGap) {
  auto ended = running_attempt(job_);
  ended.state = AttemptState::ended;
  backend.add_attempt(ended);
  backend.add_attempt(running_attempt(job_, 4));
  RawClient client(port());
  follow(client, "&attempt=4");
  ASSERT_EQ(client.read_head()->status, 200);
  backend.write_log({job_, 4}, 0, "at last\n", true);
  EXPECT_TRUE(client.read_until("at last\n"));
  EXPECT_TRUE(client.read_until("0\r\n\r\n"));
}

TEST_F(Logs, FollowEndsWithAnAttemptBehindAGap) {
  backend.add_attempt(running_attempt(job_, 2));
  RawClient client(port());
  follow(client, "");
  ASSERT_EQ(client.read_head()->status, 200);
  auto ended = running_attempt(job_, 2);
  ended.state = AttemptState::ended;
  backend.add_attempt(ended);
  EXPECT_TRUE(client.read_until("0\r\n\r\n"));
}

TEST_F(Logs, FollowGivesUpWhenTheJobNeverStarts) {
  RawClient client(port());
  follow(client, "");
  ASSERT_EQ(client.read_head()->status, 200);
  backend.set_state(job_, JobState::cancelled);
  EXPECT_TRUE(client.read_until("0\r\n\r\n"));
  EXPECT_EQ(get(path("?follow=1")).status, 404);
}

TEST_F(Logs, FollowEndsWhenTheAttemptEndsWithoutALog) {
  run_first();
  RawClient client(port());
  follow(client, "&rank=1");
  ASSERT_EQ(client.read_head()->status, 200);
  auto ended = running_attempt(job_);
  ended.state = AttemptState::ended;
  backend.add_attempt(ended);
  EXPECT_TRUE(client.read_until("0\r\n\r\n"));
}

// The disk of a log does not respond. Eight clients wait for it, more than there are threads for connections.
class HangingLog : public Logs {
 protected:
  void SetUp() override {
    Logs::SetUp();
    run_first();
    backend.write_log(first(), 0, "slow\n", true);
    backend.hang_logs(true);
    for (int i = 0; i < 8; ++i) {
      auto& client = clients_.emplace_back(std::make_unique<RawClient>(port()));
      client->send(ym::testing::to_bytes({.target = path(i % 2 == 0 ? "?tail=10" : "?follow=1"), .token = kAdmin}));
    }
    ASSERT_TRUE(ym::testing::eventually([&] { return backend.log_readers() == 8; }));
  }

  std::vector<std::unique_ptr<RawClient>> clients_;
};

TEST_F(HangingLog, HoldsUpNoOtherRequest) {
  EXPECT_EQ(get("/healthz").status, 200);
  EXPECT_EQ(get("/api/v1/jobs").status, 200);
  backend.hang_logs(false);
  for (auto& client : clients_) EXPECT_TRUE(client->read_until("slow\n"));
}

TEST_F(HangingLog, IsNotReadForAClientThatHasLeft) {
  clients_.resize(3);
  EXPECT_TRUE(ym::testing::eventually([&] { return backend.log_readers() == 3; }));
}

TEST_F(HangingLog, ThatTakesTooLongSaysSo) {
  UserGuard users;
  const auto poll = open_log(door, users, {.principal = "ada"}, {.job = job_, .attempt = 1}, Duration{0});
  const auto answer = poll->look();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->problem, "unavailable");
}

TEST_F(HangingLog, DoesNotKeepTheServerFromStopping) {
  server->stop();
  EXPECT_TRUE(ym::testing::eventually([&] { return backend.log_readers() == 0; }));
}

}  // namespace
}  // namespace ym::api
