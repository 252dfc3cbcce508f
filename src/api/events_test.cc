// The event feed: pages and watches. No event is lost or repeated.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::eventually;
using ym::testing::FakeBackend;
using ym::testing::parse_json;
using ym::testing::RawClient;
using ym::testing::simple_spec;
using ym::testing::text_at;

class Events : public ApiTest {
 protected:
  void watch(RawClient& client, const std::string& target,
             std::vector<std::pair<std::string, std::string>> headers = {}) {
    headers.emplace_back("Accept", "text/event-stream");
    client.send(ym::testing::to_bytes({.target = target, .token = kAdmin, .headers = headers}));
  }
  // The seq of the next event in a watch.
  static std::uint64_t next_seq(RawClient& client) {
    if (!client.read_until("id: ")) return 0;
    const auto line = client.read_until("\n");
    return line ? std::stoull(*line) : 0;
  }
};

TEST_F(Events, PagesAreInOrderAndDense) {
  for (int i = 0; i < 250; ++i) backend.tick();
  std::uint64_t expected = 1;
  std::string after = "0";
  while (true) {
    const auto page = parse_json(get("/api/v1/events?limit=100&after=" + after).body);
    EXPECT_EQ(text_at(page, "/as_of"), "251");
    for (const auto& item : page.at("items").as_array()) EXPECT_EQ(text_at(item, "/seq"), std::to_string(expected++));
    if (page.at("next").is_null()) break;
    after = text_at(page, "/next");
  }
  EXPECT_EQ(expected, 252u);
  EXPECT_EQ(text_at(parse_json(get("/api/v1/events?limit=1&cursor=250").body), "/items/0/seq"), "251");
}

TEST_F(Events, OfAJobAreOnlyItsOwn) {
  const auto id = backend.add_job(simple_spec()).id;
  backend.add_job(simple_spec("other"));
  const auto page = parse_json(get("/api/v1/jobs/" + to_string(id) + "/events").body);
  ASSERT_EQ(page.at("items").as_array().size(), 1u);
  EXPECT_EQ(text_at(page, "/items/0/type"), "job.submitted");
  EXPECT_EQ(text_at(page, "/items/0/job"), to_string(id));
}

TEST_F(Events, AWatchReplaysThenFollowsWithoutGapOrRepeat) {
  for (int i = 0; i < 600; ++i) backend.tick();
  RawClient client(port());
  watch(client, "/api/v1/events?after=0");
  const auto head = client.read_head();
  ASSERT_EQ(head->status, 200);
  EXPECT_EQ(head->headers.at("content-type"), "text/event-stream");
  std::thread more([&] {
    for (int i = 0; i < 600; ++i) backend.tick();
  });
  for (std::uint64_t expected = 1; expected <= 1201; ++expected) ASSERT_EQ(next_seq(client), expected);
  more.join();
}

TEST_F(Events, AnEventCarriesIdTypeAndData) {
  RawClient client(port());
  watch(client, "/api/v1/events");
  ASSERT_TRUE(client.read_until("retry: 1000\n\n"));
  const auto id = backend.add_job(simple_spec()).id;
  ASSERT_EQ(next_seq(client), 2u);
  ASSERT_TRUE(client.read_until("event: job.submitted\ndata: "));
  const auto data = parse_json(*client.read_until("\n"));
  EXPECT_EQ(text_at(data, "/job"), to_string(id));
  EXPECT_EQ(text_at(data, "/data/name"), "train");
}

TEST_F(Events, AWatchResumesWhereItWasCutOff) {
  RawClient first(port());
  watch(first, "/api/v1/events?after=0");
  for (int i = 0; i < 10; ++i) backend.tick();
  std::uint64_t last = 0;
  while (last < 5) last = next_seq(first);
  first.close();
  for (int i = 0; i < 10; ++i) backend.tick();
  RawClient second(port());
  watch(second, "/api/v1/events?after=0", {{"Last-Event-ID", std::to_string(last)}});
  for (std::uint64_t expected = last + 1; expected <= 21; ++expected) ASSERT_EQ(next_seq(second), expected);
}

TEST_F(Events, ListThenWatchMissesNothing) {
  backend.add_job(simple_spec());
  const auto as_of = text_at(parse_json(get("/api/v1/jobs").body), "/as_of");
  backend.tick();
  RawClient client(port());
  watch(client, "/api/v1/events?after=" + as_of);
  EXPECT_EQ(next_seq(client), std::stoull(as_of) + 1);
}

TEST_F(Events, AWatchOfAJobSkipsTheOthers) {
  const auto id = backend.add_job(simple_spec("mine")).id;
  RawClient client(port());
  watch(client, "/api/v1/jobs/" + to_string(id) + "/events?after=0");
  EXPECT_EQ(next_seq(client), 2u);
  for (int i = 0; i < 5; ++i) backend.tick();
  EXPECT_EQ(post("/api/v1/jobs/mine/hold").status, 200);
  EXPECT_EQ(next_seq(client), 8u);
}

TEST_F(Events, AReaderThatFallsFarBehindStillGetsEverything) {
  RawClient slow(port());
  watch(slow, "/api/v1/events?after=0");
  ASSERT_TRUE(slow.read_head());
  // More events than the ring holds, and more text than the socket's buffers hold.
  for (int i = 0; i < 3000; ++i) {
    backend.add_job(simple_spec(std::string(2000, 'n')));
  }
  for (std::uint64_t expected = 1; expected <= 3001; ++expected) ASSERT_EQ(next_seq(slow), expected);
}

TEST_F(Events, CursorsBeyondTheEndAndExpiredOnesAreTold) {
  for (int i = 0; i < 10; ++i) backend.tick();
  const auto beyond = get("/api/v1/events?after=12");
  EXPECT_EQ(beyond.status, 400);
  EXPECT_EQ(code_of(beyond), "invalid_cursor");
  EXPECT_EQ(get("/api/v1/events?after=11").status, 200);
  backend.forget_events(5);
  for (const auto* accept : {"application/json", "text/event-stream"}) {
    const auto expired = get("/api/v1/events?after=3", {{"Accept", accept}});
    EXPECT_EQ(expired.status, 410) << accept;
    EXPECT_EQ(code_of(expired), "expired");
    EXPECT_EQ(get("/api/v1/events?after=12", {{"Accept", accept}}).status, 400) << accept;
  }
  EXPECT_EQ(get("/api/v1/events?after=5").status, 200);
  EXPECT_EQ(get("/api/v1/events", {{"Last-Event-ID", "x"}}).status, 400);
}

TEST_F(Events, AWatchEndsWhenItsClientLeaves) {
  const auto open = [&] {
    return get("/metrics").body.find("route=\"/api/v1/events\",method=\"GET\"") != std::string::npos ||
           get("/metrics").body.find("method=\"GET\",route=\"/api/v1/events\"") != std::string::npos;
  };
  {
    RawClient client(port());
    watch(client, "/api/v1/events");
    ASSERT_TRUE(client.read_until("retry: 1000\n\n"));
    EXPECT_FALSE(open());
  }
  // A watch is counted when it has ended. Nothing is sent meanwhile that could fail.
  EXPECT_TRUE(eventually(open));
}

class QuietFeed : public Events {
 protected:
  void SetUp() override {
    HttpOptions options;
    options.limits.heartbeat = Duration{50};
    options.limits.streams = 2;
    start(options);
  }
};

TEST_F(QuietFeed, HasAHeartbeat) {
  RawClient client(port());
  watch(client, "/api/v1/events");
  EXPECT_TRUE(client.read_until(": alive\n\n"));
  EXPECT_TRUE(client.read_until(": alive\n\n"));
  backend.tick();
  EXPECT_EQ(next_seq(client), 2u);
}

TEST_F(QuietFeed, HasRoomForSoManyWatchersOnly) {
  RawClient one(port());
  RawClient two(port());
  watch(one, "/api/v1/events");
  watch(two, "/api/v1/events");
  ASSERT_TRUE(one.read_until(": alive\n\n"));
  ASSERT_TRUE(two.read_until(": alive\n\n"));
  const auto third = get("/api/v1/events", {{"Accept", "text/event-stream"}});
  EXPECT_EQ(third.status, 503);
  EXPECT_TRUE(third.headers.contains("retry-after"));
  EXPECT_EQ(get("/api/v1/jobs").status, 200);
}

}  // namespace
}  // namespace ym::api
