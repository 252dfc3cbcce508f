// Malformed and hostile requests. Most of them are raw bytes.
#include "api/testing/fixture.h"
#include "base/testing/sentences.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::HttpReply;
using ym::testing::RawClient;

class Hostile : public ApiTest {
 protected:
  std::string head(const std::string& more, const std::string& line = "POST /api/v1/jobs HTTP/1.1") {
    return line + "\r\nHost: localhost\r\nAuthorization: Bearer " + kAdmin + "\r\n" + more + "\r\n";
  }
  std::string json_head(const std::string& more) { return head("Content-Type: application/json\r\n" + more); }

  // Sends the bytes. Expects an answer, and then the end of the connection.
  HttpReply last_word(const std::string& bytes) {
    RawClient client(port());
    client.send(bytes);
    auto reply = client.read_reply();
    if (!reply) return {};
    EXPECT_EQ(reply->headers["connection"], "close");
    EXPECT_TRUE(client.read_end());
    return *reply;
  }

  // The request itself is wrong, not one of its fields.
  static void refused(const HttpReply& reply, int status, const char* code) {
    EXPECT_EQ(reply.status, status) << reply.body;
    EXPECT_EQ(code_of(reply), code);
    const auto problem = ym::testing::parse_json(reply.body);
    EXPECT_EQ(ym::testing::text_at(problem, "/errors"), "[]");
    ym::testing::expect_sentence(ym::testing::text_at(problem, "/detail"));
  }

  void TearDown() override {
    EXPECT_EQ(backend.submits(), 0u);
    EXPECT_EQ(get("/healthz").status, 200) << "the server lives on";
  }
};

TEST_F(Hostile, AnAnnouncedBodyOverTheLimitIsRefusedUnread) {
  const auto reply = last_word(json_head("Content-Length: 1048577\r\n"));
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(code_of(reply), "too_large");
}

TEST_F(Hostile, AChunkOverTheLimitIsRefusedBeforeItIsRead) {
  const auto reply = last_word(json_head("Transfer-Encoding: chunked\r\n") + "40000000\r\nxxxx");
  EXPECT_EQ(reply.status, 413);
}

TEST_F(Hostile, ManySmallChunksAddUpToTheLimit) {
  RawClient client(port());
  client.send(json_head("Transfer-Encoding: chunked\r\n"));
  const std::string chunk = "8000\r\n" + std::string(0x8000, 'x') + "\r\n";
  for (int i = 0; i < 40 && client.send(chunk); ++i) {
  }
  const auto reply = client.read_reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 413);
}

TEST_F(Hostile, ChunkSizesAreHexAndNothingElse) {
  for (const auto* size : {"-2", "+2", "0x2", "", "zz", "ffffffffffffffffff", "2 2"}) {
    const auto reply = last_word(json_head("Transfer-Encoding: chunked\r\n") + size + "\r\n{}\r\n0\r\n\r\n");
    refused(reply, 400, "invalid");
  }
}

TEST_F(Hostile, TenThousandHeaderFieldsAreTooMany) {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += fmt::format("X-{}: y\r\n", i);
  const auto reply = last_word(head(many, "GET /api/v1/jobs HTTP/1.1"));
  EXPECT_EQ(reply.status, 431);
  EXPECT_EQ(code_of(reply), "headers_too_large");
}

TEST_F(Hostile, AHundredAndOneShortFieldsAreTooMany) {
  std::string many;
  for (int i = 0; i < 99; ++i) many += fmt::format("X{}: y\r\n", i);
  EXPECT_EQ(last_word(head(many, "GET /api/v1/jobs HTTP/1.1")).status, 431);
}

TEST_F(Hostile, OneHugeFieldIsTooLarge) {
  EXPECT_EQ(last_word(head("X: " + std::string(20'000, 'y') + "\r\n", "GET / HTTP/1.1")).status, 431);
}

TEST_F(Hostile, AnEndlessRequestLineIsCut) {
  EXPECT_EQ(last_word(head("", "GET /" + std::string(5'000, 'a') + " HTTP/1.1")).status, 414);
  EXPECT_EQ(last_word("GET /" + std::string(40'000, 'a')).status, 431);
}

TEST_F(Hostile, LengthAndEncodingTogetherAreRefused) {
  for (const auto* both :
       {"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n"}) {
    EXPECT_EQ(last_word(json_head(both) + "0\r\n\r\nGET / HTTP/1.1\r\n\r\n").status, 400) << both;
  }
}

TEST_F(Hostile, LengthsThatDisagreeAreRefused) {
  for (const auto* lengths :
       {"Content-Length: 2\r\nContent-Length: 3\r\n", "Content-Length: 2, 3\r\n", "Content-Length: -2\r\n",
        "Content-Length: x\r\n", "Content-Length: 99999999999999999999\r\n"}) {
    EXPECT_EQ(last_word(json_head(lengths) + "{}").status, 400) << lengths;
  }
}

TEST_F(Hostile, OtherTransferEncodingsAreNotSpoken) {
  for (const auto* encoding : {"gzip", "gzip, chunked", "identity", "chunked, chunked"}) {
    const auto reply = last_word(json_head(fmt::format("Transfer-Encoding: {}\r\n", encoding)) + "0\r\n\r\n");
    EXPECT_EQ(reply.status, 501) << encoding;
  }
}

TEST_F(Hostile, WhatIsNotHttpIsRefused) {
  for (const auto* bytes : {"\x16\x03\x01\x02hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                            "GET / HTTP/1.1\r\nA b: c\r\n\r\n", "\r\n\r\nhello\r\n\r\n"}) {
    EXPECT_EQ(last_word(bytes).status, 400) << bytes;
  }
  EXPECT_EQ(last_word("GET / HTTP/2.0\r\n\r\n").status, 505);
}

TEST_F(Hostile, ExactlyOneHostIsNeeded) {
  EXPECT_EQ(last_word("GET / HTTP/1.1\r\n\r\n").status, 400);
  EXPECT_EQ(last_word("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n").status, 400);
}

TEST_F(Hostile, AHostNameThatIsNotOursGetsNothing) {
  for (const auto* path : {"/", "/healthz", "/api/v1/jobs", "/metrics"}) {
    RawClient client(port());
    client.send(
        fmt::format("GET {} HTTP/1.1\r\nHost: rebound.evil.example\r\nAuthorization: Bearer {}\r\n\r\n", path, kAdmin));
    EXPECT_EQ(client.read_reply()->status, 403) << path;
  }
}

TEST_F(Hostile, ForwardedForIsNotBelievedAndDoesNoHarm) {
  for (const auto* value : {",", "", "127.0.0.1", "' OR 1=1"}) {
    EXPECT_EQ(get("/api/v1/jobs", {{"X-Forwarded-For", value}}).status, 200) << value;
  }
}

TEST_F(Hostile, JsonThatCallsItselfTextIsNotRead) {
  for (const auto* type :
       {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""}) {
    const auto reply = post("/api/v1/jobs", type, R"({"run":["true"]})");
    EXPECT_EQ(reply.status, 415) << type;
    EXPECT_EQ(code_of(reply), "unsupported_media_type");
  }
}

TEST_F(Hostile, CursorsCannotBeMadeUp) {
  for (const auto* query : {"cursor=1000000000", "cursor=abc", "cursor=0123456789abcdef3030303030303131"}) {
    const auto reply = get(std::string("/api/v1/jobs?") + query);
    EXPECT_EQ(reply.status, 400) << query;
    EXPECT_EQ(code_of(reply), "invalid_cursor");
  }
  for (const auto* query : {"limit=1000000000", "limit=0", "limit=-1", "limit=x", "limit=", "cursor=", "page=3",
                            "limit=1&limit=2", "state=NAPPING", "group=../.."}) {
    const auto reply = get(std::string("/api/v1/jobs?") + query);
    EXPECT_EQ(reply.status, 400) << query;
    EXPECT_EQ(code_of(reply), "invalid");
    EXPECT_THAT(reply.body, ::testing::HasSubstr("\"pointer\":\"/query/"));
  }
  EXPECT_EQ(code_of(get("/api/v1/events?after=1000000000")), "invalid_cursor");
  EXPECT_EQ(code_of(get("/api/v1/nodes?cursor=abcd")), "invalid_cursor");
}

TEST_F(Hostile, PathsAreDecodedOnceAndCannotClimb) {
  for (const auto* path : {"/api/v1/jobs/%252e%252e", "/api/v1/jobs/%252e%252e%252fqueues"})
    refused(get(path), 404, "not_found");
  for (const auto* path : {"/api/v1/jobs/%2e%2e", "/api/v1/jobs/..%2fqueues", "/api/v1/jobs/%5c", "/api/v1/jobs/a%00b",
                           "/api/v1/jobs/a%0d%0ab", "/api/v1/jobs/../queues"})
    refused(get(path), 400, "invalid");
  refused(get("/api/v1/jobs/..\\queues"), 400, "invalid");
}

TEST_F(Hostile, APageOfAnotherSiteChangesNothing) {
  const auto job = backend.add_job(ym::testing::simple_spec()).id;
  for (const auto* origin : {"http://evil.example", "null", "https://localhost.evil.example"}) {
    EXPECT_EQ(post("/api/v1/jobs/" + to_string(job) + "/cancel", "", "", {{"Origin", origin}}).status, 403) << origin;
    EXPECT_EQ(submit_json(R"({"run":["true"]})", {{"Origin", origin}}).status, 403) << origin;
  }
  EXPECT_EQ(backend.state_of(job), JobState::queued);
}

TEST_F(Hostile, OneHeaderFieldSaidTwiceIsAmbiguous) {
  const std::string twice = "Authorization: Bearer wrong\r\n";
  RawClient client(port());
  client.send(head(twice, "GET /api/v1/jobs HTTP/1.1"));
  EXPECT_EQ(client.read_reply()->status, 400);
}

TEST_F(Hostile, TheTokenIsInNoAnswer) {
  const std::string secret = "canary-0123456789";
  for (const auto* target : {"/api/v1/jobs", "/api/v1/jobs/x", "/nothing"}) {
    RawClient client(port());
    client.send(ym::testing::to_bytes({.target = target, .token = secret}));
    const auto reply = client.read_reply();
    ASSERT_TRUE(reply);
    EXPECT_THAT(reply->body, ::testing::Not(::testing::HasSubstr(secret)));
  }
}

class SlowClients : public Hostile {
 protected:
  void SetUp() override {
    HttpOptions options;
    options.limits.header_time = options.limits.body_time = options.limits.idle_time = seconds(2);
    start(options);
  }
};

TEST_F(SlowClients, AHeadThatTricklesInIsCut) {
  RawClient client(port());
  std::thread drip([&] {
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\n");
    while (client.send("X: y\r\n")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  const auto reply = client.read_reply();
  client.read_end();
  drip.join();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 408);
}

TEST_F(SlowClients, ABodyThatNeverComesIsCut) {
  const auto reply = last_word(json_head("Content-Length: 100\r\n") + "{");
  EXPECT_EQ(reply.status, 408);
  EXPECT_EQ(code_of(reply), "too_slow");
}

TEST_F(SlowClients, SilenceIsCutWithoutAWord) {
  RawClient silent(port());
  EXPECT_FALSE(silent.read_reply());
  RawClient idle(port());
  idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(idle.read_reply());
  EXPECT_TRUE(idle.read_end());
}

}  // namespace
}  // namespace ym::api
