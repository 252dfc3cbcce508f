#include "executor/kubernetes/api/api_client.h"

#include <gtest/gtest.h>

#include <deque>

#include "executor/kubernetes/testing/objects.h"

namespace ym::kubernetes {
namespace {

using Kind = ApiError::Kind;

struct Server {
  std::deque<Result<net::Reply>> replies;
  std::vector<net::Request> asked;
};

class FakeHttp final : public net::HttpClient {
 public:
  explicit FakeHttp(Server& server) : server_(server) {}
  Result<net::Reply> send(const net::Request& request, const net::Cancel&) override {
    server_.asked.push_back(request);
    if (server_.replies.empty()) return fail(ErrorCode::unavailable, "nobody there");
    auto reply = server_.replies.front();
    server_.replies.pop_front();
    return reply;
  }
  Result<net::Reply> stream(const net::Request& request, const std::function<bool(std::string_view)>& take,
                            const net::Cancel& cancel) override {
    auto reply = send(request, cancel);
    if (reply && reply->status == 200) take(reply->body);
    return reply;
  }

 private:
  Server& server_;
};

net::Reply status(int code, const std::string& reason, const std::string& message = "words",
                  std::map<std::string, std::string> headers = {}) {
  return {.status = code,
          .headers = std::move(headers),
          .body = R"({"kind":"Status","reason":")" + reason + R"(","message":")" + message + "\"}"};
}

class ApiClientTest : public ::testing::Test {
 protected:
  Server server;
  ApiClient client{std::make_unique<FakeHttp>(server)};
};

TEST_F(ApiClientTest, AThrottledRequestIsRepeatedWhenTheServerSaysSo) {
  server.replies = {status(429, "TooManyRequests", "slow down", {{"retry-after", "0"}}), net::Reply{200, {}, "{}"}};
  EXPECT_TRUE(client.create("/api/v1/namespaces/x/pods", json::object{}));
  EXPECT_EQ(client.requests()["create pods"], 2U);
}

TEST_F(ApiClientTest, ANewServersRefusalIsWaitedOut) {
  server.replies = {status(403, "Forbidden"), status(401, "Unauthorized"), status(503, "ServiceUnavailable"),
                    net::Reply{200, {}, "{}"}};
  EXPECT_TRUE(client.get("/api/v1/nodes"));
  EXPECT_EQ(server.asked.size(), 4U);
}

TEST_F(ApiClientTest, WhatIsFinalIsNotRepeated) {
  for (const auto& [reply, kind] : {std::pair{status(409, "AlreadyExists"), Kind::already_exists},
                                    {status(409, "Conflict"), Kind::conflict},
                                    {status(404, "NotFound"), Kind::not_found},
                                    {status(422, "Invalid"), Kind::refused},
                                    {status(403, "Forbidden", "exceeded quota: two"), Kind::over_quota},
                                    {status(410, "Expired"), Kind::gone}}) {
    server.asked.clear();
    server.replies = {reply};
    const auto result = client.create("/api/v1/namespaces/x/pods", json::object{});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, kind);
    EXPECT_EQ(server.asked.size(), 1U);
  }
}

TEST_F(ApiClientTest, ADeletionIsOfOneObjectAndNeverByForce) {
  server.replies = {net::Reply{200, {}, "{}"}, status(404, "NotFound"), status(409, "Conflict")};
  EXPECT_TRUE(client.remove("/api/v1/namespaces/x/pods/p", "uid-1", {}));
  const auto body = testing::object(server.asked[0].body);
  EXPECT_EQ(number_at(body, "/gracePeriodSeconds"), 1);
  EXPECT_EQ(text_at(body, "/preconditions/uid"), "uid-1");
  // The object does not exist any more, or another one has its name.
  EXPECT_TRUE(client.remove("/api/v1/namespaces/x/pods/p", "uid-1", seconds(5)));
  EXPECT_TRUE(client.remove("/api/v1/namespaces/x/pods/p", "uid-1", seconds(5)));
}

TEST_F(ApiClientTest, AReplyThatIsNoneOfAnApiServersIsAnError) {
  for (const auto& reply :
       {net::Reply{200, {}, "<html>"}, net::Reply{302, {}, ""}, net::Reply{200, {}, std::string(100, '[')}}) {
    server.replies = {reply};
    const auto result = client.get("/version");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, Kind::malformed);
  }
  server.replies = {fail(ErrorCode::too_large, "more than 64 MiB")};
  EXPECT_EQ(client.get("/version").error().kind, Kind::malformed);
}

TEST_F(ApiClientTest, AClosedOneWaitsForNothing) {
  client.close();
  server.replies = {status(429, "TooManyRequests", "", {{"retry-after", "60"}})};
  EXPECT_FALSE(client.get("/version"));
  EXPECT_EQ(server.asked.size(), 1U);
}

TEST_F(ApiClientTest, RequestsAreCountedByWhatTheyAreOf) {
  for (const auto* target : {"/api/v1/nodes", "/api/v1/nodes?limit=500", "/api/v1/namespaces/x/pods?limit=5",
                             "/api/v1/pods?limit=5", "/api/v1/namespaces/x/pods/p", "/version"}) {
    server.replies = {net::Reply{200, {}, "{}"}};
    EXPECT_TRUE(client.get(target));
  }
  server.replies = {net::Reply{200, {}, ""}, net::Reply{200, {}, ""}};
  EXPECT_TRUE(client.stream("/api/v1/namespaces/x/pods/p/log?container=task", [](auto) { return true; }, seconds(1)));
  EXPECT_TRUE(client.stream("/api/v1/pods?watch=1", [](auto) { return true; }, seconds(1)));
  EXPECT_EQ(client.requests(), (std::map<std::string, std::uint64_t>{{"get nodes", 1},
                                                                     {"list nodes", 1},
                                                                     {"list pods", 2},
                                                                     {"get pods", 1},
                                                                     {"get version", 1},
                                                                     {"get pods/log", 1},
                                                                     {"watch pods", 1}}));
}

TEST(Retries, AreBoundedByKind) {
  const ApiError throttled{.kind = Kind::throttled, .status = 429, .message = {}, .retry_after = seconds(7)};
  EXPECT_EQ(pause_before_retry(throttled, 1, {}), seconds(7));
  EXPECT_FALSE(pause_before_retry(throttled, 1, seconds(58)));
  const ApiError problem{.kind = Kind::server_error, .status = 500, .message = {}, .retry_after = {}};
  EXPECT_EQ(pause_before_retry(problem, 1, {}), Duration{100});
  EXPECT_EQ(pause_before_retry(problem, 3, {}), Duration{400});
  EXPECT_FALSE(pause_before_retry(problem, 3, seconds(5)));
  EXPECT_FALSE(pause_before_retry({.kind = Kind::refused, .status = 422, .message = {}, .retry_after = {}}, 1, {}));
}

}  // namespace
}  // namespace ym::kubernetes
