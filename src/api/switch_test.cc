// Requests that continue while a standby takes over from the server.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::eventually;
using ym::testing::FakeBackend;
using ym::testing::RawClient;
using ym::testing::running_attempt;
using ym::testing::simple_spec;
using ym::testing::to_bytes;

class Takeover : public ym::testing::ApiTest {
 protected:
  ~Takeover() override {
    server.reset();
    door.set(backend.handle());  // before the old one is destroyed
  }
  void take_over() { door.set(next.handle()); }

  FakeBackend next;
};

TEST_F(Takeover, TheNextRequestIsAnsweredByTheOther) {
  next.add_job(simple_spec("new"));
  EXPECT_EQ(get("/api/v1/jobs/new").status, 404);
  take_over();
  EXPECT_EQ(get("/api/v1/jobs/new").status, 200);
}

TEST_F(Takeover, ARequestIsAnsweredByTheServerThatItBeganWith) {
  backend.pause(true);
  RawClient client(port());
  client.send(to_bytes({.method = "POST",
                        .target = "/api/v1/jobs",
                        .token = kAdmin,
                        .headers = {{"Content-Type", "application/json"}},
                        .body = R"({"run":["x"],"name":"mine"})"}));
  ASSERT_TRUE(eventually([&] { return backend.commands_waiting() == 1; }));
  take_over();
  backend.pause(false);
  const auto reply = client.read_reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 201);
  EXPECT_EQ(backend.job_count(), 1u);
  EXPECT_EQ(next.job_count(), 0u);
}

TEST_F(Takeover, AWatchGoesOnWithoutAGap) {
  RawClient client(port());
  client.send(
      to_bytes({.target = "/api/v1/events?after=0", .token = kAdmin, .headers = {{"Accept", "text/event-stream"}}}));
  ASSERT_TRUE(client.read_until("id: 1\n"));
  for (int i = 0; i < 3; ++i) next.tick();
  take_over();
  EXPECT_TRUE(client.read_until("id: 2\n"));
  EXPECT_TRUE(client.read_until("id: 4\n"));
  next.tick();
  EXPECT_TRUE(client.read_until("id: 5\n"));
}

TEST_F(Takeover, ARequestThatWaitsForANoticeIsAnsweredByTheOther) {
  const auto id = backend.add_job(simple_spec()).id;
  ASSERT_EQ(next.add_job(simple_spec()).id, id);
  for (auto* each : {&backend, &next}) each->add_attempt(running_attempt(id));
  RawClient client(port());
  client.send(to_bytes({.target = fmt::format("/api/v1/jobs/{}/attempts/1/notice?wait=1m", to_string(id)),
                        .token = FakeBackend::job_token({id, 1})}));
  ASSERT_TRUE(eventually([&] { return backend.notices_asked() > 0; }));
  take_over();
  next.set_notice({id, 1}, {.cause = StopCause::cancel, .deadline = {}, .grace = seconds(30)});
  EXPECT_EQ(client.read_reply().value_or(ym::testing::HttpReply{}).status, 200);
}

TEST_F(Takeover, AFollowedLogIsReadFromTheOther) {
  const auto id = backend.add_job(simple_spec()).id;
  ASSERT_EQ(next.add_job(simple_spec()).id, id);
  for (auto* each : {&backend, &next}) each->add_attempt(running_attempt(id));
  backend.write_log({id, 1}, 0, "one\n", false);
  next.write_log({id, 1}, 0, "one\ntwo\n", true);
  RawClient client(port());
  client.send(to_bytes({.target = fmt::format("/api/v1/jobs/{}/logs?follow=1", to_string(id)), .token = kAdmin}));
  ASSERT_TRUE(client.read_until("one\n"));
  take_over();
  EXPECT_TRUE(client.read_until("two\n"));
}

}  // namespace
}  // namespace ym::api
