// Reports and notices: requests by user code of an attempt.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::eventually;
using ym::testing::FakeBackend;
using ym::testing::HttpReply;
using ym::testing::parse_json;
using ym::testing::RawClient;
using ym::testing::running_attempt;
using ym::testing::simple_spec;
using ym::testing::text_at;

constexpr Notice kNotice{StopCause::preemption, Instant{1'790'000'030'000}, Duration{30'500}};
constexpr std::string_view kNoticeJson =
    R"({"reason":"preemption","deadline":"2026-09-21T14:13:50.000Z","grace_seconds":30.5})";

class Attempts : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    job_ = backend.add_job(simple_spec()).id;
    backend.add_attempt(running_attempt(job_));
    backend.set_state(job_, JobState::running);
  }
  AttemptKey first() const { return {job_, 1}; }
  std::string path(std::string_view what, int number = 1) const {
    return fmt::format("/api/v1/jobs/{}/attempts/{}/{}", to_string(job_), number, what);
  }
  std::string token() const { return FakeBackend::job_token(first()); }
  ym::testing::HttpCall report_call(const std::string& body) const {
    return {.method = "POST",
            .target = path("progress"),
            .token = token(),
            .headers = {{"Content-Type", "application/json"}},
            .body = body};
  }
  HttpReply report(const std::string& body) { return ym::testing::fetch(port(), report_call(body)); }
  HttpReply notice(const std::string& query = "") {
    return ym::testing::fetch(port(), {.target = path("notice" + query), .token = token()});
  }
  // Sends a poll and returns when the server waits for the notice.
  void poll(RawClient& client, const std::string& wait) {
    const auto before = backend.notices_asked();
    client.send(ym::testing::to_bytes({.target = path("notice?wait=" + wait), .token = token()}));
    EXPECT_TRUE(eventually([&] { return backend.notices_asked() > before; }));
  }

  JobId job_;
};

TEST_F(Attempts, ReportsReachControlAndAreAnsweredWithoutContent) {
  const auto reply = report(R"({"step": 12, "total_steps": 50, "metrics": {"loss": 0.25},
    "checkpoint": {"uri": "/ck/12", "step": 12, "durable_at": "2026-09-21T14:00:00Z"}})");
  EXPECT_EQ(reply.status, 204) << reply.body;
  EXPECT_EQ(reply.headers.count("content-length") + reply.headers.count("content-type"), 0u);
  const auto reports = backend.reports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].attempt, first());
  EXPECT_EQ(reports[0].report.step, 12);
  EXPECT_EQ(reports[0].report.metrics.at("loss"), 0.25);
  ASSERT_TRUE(reports[0].report.checkpoint);
  EXPECT_EQ(reports[0].report.checkpoint->uri, "/ck/12");
}

TEST_F(Attempts, AConnectionGoesOnAfterAReport) {
  RawClient client(port());
  for (int step = 0; step < 3; ++step) {
    client.send(ym::testing::to_bytes(report_call(fmt::format(R"({{"step":{}}})", step))));
    const auto reply = client.read_reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 204);
  }
  EXPECT_EQ(backend.reports().size(), 3u);
}

TEST_F(Attempts, AConnectionGoesOnAfterALongPollThatWaited) {
  RawClient client(port());
  for (int i = 0; i < 3; ++i) {
    client.send(ym::testing::to_bytes({.target = path("notice?wait=50ms"), .token = token()}));
    const auto reply = client.read_reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 204);
    client.send(ym::testing::to_bytes(report_call(fmt::format(R"({{"step":{}}})", i))));
    ASSERT_TRUE(client.read_reply());
  }
  EXPECT_EQ(backend.reports().size(), 3u);
}

TEST_F(Attempts, WrongReportsSayWhatIsWrong) {
  const auto wrong = report(R"({"step": -1})");
  EXPECT_EQ(wrong.status, 422);
  EXPECT_EQ(text_at(parse_json(wrong.body), "/errors/0/pointer"), "/step");
  EXPECT_EQ(report("{").status, 400);
  EXPECT_EQ(report("").status, 400);
  const auto large = report(R"({"metrics": {")" + std::string(20'000, 'x') + R"(": 1}})");
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(code_of(large), "too_large");
  const auto typeless =
      ym::testing::fetch(port(), {.method = "POST", .target = path("progress"), .token = token(), .body = "{}"});
  EXPECT_EQ(typeless.status, 415);
  EXPECT_EQ(backend.reports().size(), 0u);
}

TEST_F(Attempts, AnEndedAttemptReportsNothingMore) {
  auto ended = running_attempt(job_);
  ended.state = AttemptState::ended;
  backend.add_attempt(ended);
  const auto reply = report(R"({"step": 1})");
  EXPECT_EQ(reply.status, 409);
  EXPECT_EQ(code_of(reply), "conflict");
}

TEST_F(Attempts, AnAttemptThatIsNotThereIsNotFound) {
  const AttemptKey second{job_, 2};
  const auto reply = ym::testing::fetch(port(), {.method = "POST",
                                                 .target = path("progress", 2),
                                                 .token = FakeBackend::job_token(second),
                                                 .headers = {{"Content-Type", "application/json"}},
                                                 .body = "{}"});
  EXPECT_EQ(reply.status, 404);
  EXPECT_EQ(get(path("notice", 2)).status, 404);
  for (const auto* number : {"0", "-1", "x", "1x", "99999999999"})
    EXPECT_EQ(get(fmt::format("/api/v1/jobs/{}/attempts/{}/notice", to_string(job_), number)).status, 404) << number;
  EXPECT_EQ(get("/api/v1/jobs/none/attempts/1/notice").status, 404);
}

TEST_F(Attempts, MoreThanTenReportsInASecondAreRefused) {
  RawClient client(port());
  std::string bytes;
  constexpr int kSent = 200;
  for (int i = 0; i < kSent; ++i) bytes += ym::testing::to_bytes(report_call("{}"));
  const std::jthread sender([&] { client.send(bytes); });
  std::size_t taken = 0;
  HttpReply reply = client.read_reply().value_or(HttpReply{});
  for (; reply.status == 204; reply = client.read_reply().value_or(HttpReply{})) ++taken;
  EXPECT_GE(taken, 10u);
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(reply.headers["retry-after"], "1");
  EXPECT_EQ(code_of(reply), "rate_limited");
  EXPECT_EQ(backend.reports().size(), taken);
  const AttemptKey second{job_, 2};
  backend.add_attempt(running_attempt(job_, 2));
  auto other = report_call("{}");
  other.target = path("progress", 2);
  other.token = FakeBackend::job_token(second);
  EXPECT_EQ(ym::testing::fetch(port(), other).status, 204) << "each attempt has its own measure";
}

TEST_F(Attempts, WithoutANoticeThereIsNoContent) {
  for (const auto* query : {"", "?wait=0", "?wait=1ms", "?wait=50ms"}) {
    const auto reply = notice(query);
    EXPECT_EQ(reply.status, 204) << query;
    EXPECT_EQ(reply.body, "");
  }
}

TEST_F(Attempts, TheNoticeIsAnsweredAtOnceWhereItIsThere) {
  backend.set_notice(first(), kNotice);
  EXPECT_EQ(notice().body, kNoticeJson);
  EXPECT_EQ(notice("?wait=1m").body, kNoticeJson);
  EXPECT_EQ(get(path("notice")).body, kNoticeJson) << "admins may look too";
  EXPECT_EQ(get("/api/v1/jobs/train/attempts/1/notice").body, kNoticeJson) << "by the job's name as well";
  RawClient client(port());
  for (int i = 0; i < 2; ++i) {
    client.send(ym::testing::to_bytes({.target = path("notice?wait=1m"), .token = token()}));
    EXPECT_EQ(client.read_reply().value_or(HttpReply{}).status, 200) << "who need not wait keeps the connection";
  }
}

TEST_F(Attempts, AWaitingRequestIsAnsweredAtOnce) {
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 20; ++i) poll(*clients.emplace_back(std::make_unique<RawClient>(port())), "60s");
  const auto other = backend.add_job(simple_spec("other")).id;
  backend.add_attempt(running_attempt(other));
  backend.set_notice({other, 1}, kNotice);
  backend.tick();
  backend.set_notice(first(), kNotice);
  // Far below the 60 s of each wait: the clients give up after 20 s.
  for (const auto& client : clients) {
    const auto reply = client->read_reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200);
    EXPECT_EQ(reply->body, kNoticeJson);
  }
}

TEST_F(Attempts, WaitsAreBounded) {
  for (const auto* wait : {"61s", "1h", "-1s", "x", ""}) {
    const auto reply = notice(fmt::format("?wait={}", wait));
    EXPECT_EQ(reply.status, 400) << wait;
    EXPECT_EQ(text_at(parse_json(reply.body), "/errors/0/pointer"), "/query/wait");
  }
  EXPECT_EQ(notice("?until=now").status, 400);
}

TEST_F(Attempts, ManyMayWaitAndOthersAreServedMeanwhile) {
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 100; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    clients.back()->send(ym::testing::to_bytes({.target = path("notice?wait=60s"), .token = token()}));
  }
  EXPECT_EQ(report("{}").status, 204) << "two threads serve a hundred that wait";
  backend.set_notice(first(), kNotice);
  for (const auto& client : clients) EXPECT_EQ(client->read_reply().value_or(HttpReply{}).status, 200);
}

TEST_F(Attempts, AClientThatLeavesIsForgotten) {
  {
    RawClient client(port());
    poll(client, "60s");
    EXPECT_EQ(server->traffic().open, 1u);
  }
  EXPECT_TRUE(eventually([&] { return server->traffic().open == 0; }));
}

TEST_F(Attempts, TooManyWaitingRequestsAreSentAway) {
  HttpOptions options;
  options.limits.streams = 1;
  start(options);
  RawClient client(port());
  poll(client, "60s");
  EXPECT_EQ(notice("?wait=60s").status, 503);
  EXPECT_EQ(notice().status, 204) << "a request that does not wait takes no share";
  EXPECT_EQ(report("{}").status, 204);
  backend.set_notice(first(), kNotice);
  EXPECT_EQ(client.read_reply().value_or(HttpReply{}).status, 200);
}

TEST_F(Attempts, AServerThatStopsLetsThemGo) {
  RawClient client(port());
  poll(client, "60s");
  server->stop();
  const auto reply = client.read_reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 503);
  EXPECT_EQ(reply->headers.at("retry-after"), "1");
}

}  // namespace
}  // namespace ym::api
