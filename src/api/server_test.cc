// Connections: kept, pipelined, limited, and ended cleanly.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::eventually;
using ym::testing::fetch;
using ym::testing::RawClient;
using ym::testing::to_bytes;

using Connections = ApiTest;

TEST_F(Connections, AreKeptForManyRequests) {
  RawClient client(port());
  for (int i = 0; i < 50; ++i) {
    client.send(to_bytes({.target = "/api/v1/jobs", .token = kAdmin}));
    const auto reply = client.read_reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200);
  }
}

TEST_F(Connections, AnswerPipelinedRequestsInOrder) {
  std::string many;
  for (int i = 0; i < 20; ++i) {
    many += to_bytes({.method = "POST",
                      .target = "/api/v1/jobs",
                      .token = kAdmin,
                      .headers = {{"Content-Type", "application/json"}},
                      .body = fmt::format(R"({{"name":"j{}","run":["x"]}})", i)});
    many += to_bytes({.target = fmt::format("/api/v1/jobs/j{}", i), .token = kAdmin});
  }
  RawClient client(port());
  client.send(many);
  for (int i = 0; i < 20; ++i) {
    const auto made = client.read_reply();
    const auto shown = client.read_reply();
    ASSERT_TRUE(made && shown);
    EXPECT_EQ(made->status, 201);
    EXPECT_EQ(shown->body, made->body);
  }
}

TEST_F(Connections, StreamsThatEndLeaveThemUsable) {
  const auto id = backend.add_job(ym::testing::simple_spec()).id;
  backend.add_attempt(ym::testing::running_attempt(id));
  backend.write_log({id, 1}, 0, "text\n", true);
  RawClient client(port());
  for (int i = 0; i < 3; ++i) {
    client.send(to_bytes({.target = "/api/v1/jobs/" + to_string(id) + "/logs", .token = kAdmin}));
    ASSERT_EQ(client.read_reply()->body, "text\n");
  }
}

TEST_F(Connections, HeadAnswersWithoutABody) {
  RawClient client(port());
  client.send(to_bytes({.method = "HEAD", .target = "/api/v1/openapi.json"}));
  const auto head = client.read_reply(true);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  client.send(to_bytes({.target = "/api/v1/openapi.json"}));
  const auto full = client.read_reply();
  ASSERT_TRUE(full) << "the head was followed by nothing";
  EXPECT_EQ(std::to_string(full->body.size()), head->headers.at("content-length"));
}

TEST_F(Connections, CloseWhenAskedTo) {
  RawClient client(port());
  client.send(to_bytes({.target = "/", .headers = {{"Connection", "close"}}}));
  EXPECT_EQ(client.read_reply()->headers.at("connection"), "close");
  EXPECT_TRUE(client.read_end());
}

TEST_F(Connections, SpeakHttp10) {
  RawClient client(port());
  client.send("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n");
  const auto reply = client.read_reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 200);
  EXPECT_TRUE(client.read_end());
}

TEST_F(Connections, ManyClientsAtOnceEachGetTheirOwnAnswer) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      RawClient client(port());
      for (int i = 0; i < 50; ++i) {
        const auto name = fmt::format("t{}-{}", t, i);
        client.send(to_bytes({.method = "POST",
                              .target = "/api/v1/jobs",
                              .token = kAdmin,
                              .headers = {{"Content-Type", "application/json"}},
                              .body = fmt::format(R"({{"name":"{}","run":["x"]}})", name)}));
        const auto reply = client.read_reply();
        if (reply && reply->body.find("\"" + name + "\"") != std::string::npos) ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 400);
}

class Crowded : public Connections {
 protected:
  void SetUp() override {
    HttpOptions options;
    options.limits.connections = 4;
    options.limits.bytes_in_flight = 100'000;
    start(options);
    limit_users("requests_per_second: 2");
  }
};

TEST_F(Crowded, OneConnectionTooManyIsTurnedAway) {
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    clients.back()->send(to_bytes({.target = "/"}));
    ASSERT_EQ(clients.back()->read_reply()->status, 200);
  }
  RawClient late(port());
  const auto reply = late.read_reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 503);
  clients.clear();
  EXPECT_TRUE(eventually([&] { return fetch(port(), {.target = "/"}).status == 200; }));
}

TEST_F(Crowded, BodiesThatDoNotFitIntoMemoryAreRefusedUnread) {
  RawClient client(port());
  client.send(
      fmt::format("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
                  "Content-Type: application/json\r\nContent-Length: 100001\r\n\r\n",
                  kAdmin));
  EXPECT_EQ(client.read_reply()->status, 503);
}

TEST_F(Crowded, AFloodOfOnePrincipalLeavesTheOthersAlone) {
  int limited = 0;
  for (int i = 0; i < 10; ++i) limited += get("/api/v1/queues").status == 429 ? 1 : 0;
  EXPECT_GE(limited, 5);
  const std::string other(ym::testing::FakeBackend::kUserToken);
  EXPECT_EQ(fetch(port(), {.target = "/api/v1/queues", .token = other}).status, 200);
}

TEST_F(Connections, StoppingFinishesWhatIsInProgress) {
  backend.pause(true);
  RawClient client(port());
  client.send(to_bytes({.method = "POST",
                        .target = "/api/v1/jobs",
                        .token = kAdmin,
                        .headers = {{"Content-Type", "application/json"}},
                        .body = R"({"run":["x"]})"}));
  ASSERT_TRUE(eventually([&] { return backend.commands_waiting() == 1; }));
  RawClient idle(port());
  idle.send(to_bytes({.target = "/"}));
  ASSERT_TRUE(idle.read_reply());
  std::thread stopping([&] { server->stop(); });
  EXPECT_TRUE(idle.read_end());
  backend.pause(false);
  const auto reply = client.read_reply();
  stopping.join();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 201);
  EXPECT_EQ(reply->headers.at("connection"), "close");
}

TEST_F(Connections, StoppingEndsStreams) {
  RawClient client(port());
  client.send(to_bytes({.target = "/api/v1/events", .token = kAdmin, .headers = {{"Accept", "text/event-stream"}}}));
  ASSERT_TRUE(client.read_until("retry: 1000\n\n"));
  server->stop();
  EXPECT_TRUE(client.read_until("0\r\n\r\n"));
  EXPECT_TRUE(client.read_end());
}

TEST_F(Connections, StoppingDoesNotWaitForeverForControl) {
  HttpOptions options;
  options.limits.stop_time = Duration{50};
  start(options);
  backend.pause(true);
  RawClient client(port());
  client.send(to_bytes({.method = "POST",
                        .target = "/api/v1/jobs",
                        .token = kAdmin,
                        .headers = {{"Content-Type", "application/json"}},
                        .body = R"({"run":["x"]})"}));
  ASSERT_TRUE(eventually([&] { return backend.commands_waiting() == 1; }));
  server.reset();
  EXPECT_FALSE(client.read_reply());
  EXPECT_EQ(door.listeners(), 0u);
  // The reply comes after the server is gone, and is dropped.
  backend.pause(false);
  EXPECT_TRUE(eventually([&] { return backend.submits() == 1; }));
}

TEST(HttpServerStart, SaysWhatIsWrongWithAnAddress) {
  ym::testing::FakeBackend backend;
  BackendSwitch door;
  door.set(backend.handle());
  const auto first = HttpServer::start(door, {});
  ASSERT_TRUE(first);
  const auto second = HttpServer::start(door, {.port = (*first)->port()});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::io);
  const auto nowhere = HttpServer::start(door, {.address = "example"});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::invalid);
  EXPECT_FALSE(HttpServer::start(door, {.address = "203.0.113.7"}));
}

}  // namespace
}  // namespace ym::api
