// Submits: the answers, the refusals, and that one submit makes one job.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::eventually;
using ym::testing::parse_json;
using ym::testing::RawClient;
using ym::testing::text_at;

using Submit = ApiTest;

TEST_F(Submit, OneJsonSpecAnswersWithTheJob) {
  const auto reply = submit_json(R"({"name":"train","run":["python","train.py"],"resources":{"gpus":"t4:2"}})");
  ASSERT_EQ(reply.status, 201) << reply.body;
  const auto job = parse_json(reply.body);
  EXPECT_EQ(text_at(job, "/name"), "train");
  EXPECT_EQ(text_at(job, "/user"), "ada");
  EXPECT_EQ(text_at(job, "/state"), "QUEUED");
  EXPECT_EQ(text_at(job, "/spec/resources/gpus"), "t4:2");
  EXPECT_EQ(text_at(job, "/spec/workdir"), "/");
  EXPECT_EQ(reply.headers.at("location"), "/api/v1/jobs/" + text_at(job, "/id"));
  EXPECT_EQ(parse_json(get(reply.headers.at("location")).body), job);
}

TEST_F(Submit, RelativeFoldersReferToTheParameter) {
  const auto reply = post("/api/v1/jobs?workdir=/home/ada%20b", "application/json", R"({"run":["x"],"workdir":"sub"})");
  EXPECT_EQ(text_at(parse_json(reply.body), "/spec/workdir"), "/home/ada b/sub");
  EXPECT_EQ(post("/api/v1/jobs?workdir=home", "application/json", R"({"run":["x"]})").status, 400);
}

TEST_F(Submit, YamlAnswersWithItemsEvenForOne) {
  const auto one = post("/api/v1/jobs", "application/yaml", "run: [a]\n");
  EXPECT_EQ(one.status, 201);
  EXPECT_EQ(text_at(parse_json(one.body), "/items/0/name"), "a");
  const auto two =
      parse_json(post("/api/v1/jobs", "application/yaml; charset=utf-8", "run: [b]\n---\nrun: [c]\n").body);
  ASSERT_EQ(two.at("items").as_array().size(), 2u);
  EXPECT_EQ(text_at(two, "/items/1/name"), "c");
}

TEST_F(Submit, OneBadDocumentOfSeveralMakesNoJob) {
  const auto reply = post("/api/v1/jobs", "application/yaml", "run: [b]\n---\nrun: [c]\npriority: 900\n");
  EXPECT_EQ(reply.status, 422);
  EXPECT_EQ(text_at(parse_json(reply.body), "/errors/0/pointer"), "/1/priority");
  EXPECT_EQ(backend.job_count(), 0u);
}

TEST_F(Submit, AnArrayAnswersWithItsMembers) {
  const auto value = parse_json(submit_json(R"({"name":"sweep","run":["x"],"array":3})").body);
  ASSERT_EQ(value.at("items").as_array().size(), 3u);
  EXPECT_EQ(text_at(value, "/items/2/name"), "sweep-2");
  EXPECT_EQ(text_at(value, "/items/2/group_index"), "2");
  EXPECT_EQ(text_at(value, "/items/2/group_id"), text_at(value, "/items/0/group_id"));
  const auto group = text_at(value, "/items/0/group_id");
  EXPECT_EQ(parse_json(get("/api/v1/jobs?group=" + group).body).at("items").as_array().size(), 3u);
}

TEST_F(Submit, TenThousandMembersOfALargeSpecStayAnAnswerOfBoundedSize) {
  const auto reply =
      submit_json(R"({"name":"big","run":["x"],"array":10000,"env":{"A":")" + std::string(100'000, 'y') + "\"}}");
  ASSERT_EQ(reply.status, 201) << reply.body;
  EXPECT_LT(reply.body.size(), 16u << 20);
  const auto value = parse_json(reply.body);
  ASSERT_EQ(value.at("items").as_array().size(), 10'000u);
  EXPECT_EQ(text_at(value, "/items/9999/name"), "big-9999");
  EXPECT_EQ(text_at(value, "/items/9999/spec"), "null");
}

TEST_F(Submit, MalformedIs400AndWrongFieldsAre422) {
  for (const auto* body : {"{", "[", "\"run\"", "{\"run\":[\"x\"]} x"})
    EXPECT_EQ(submit_json(body).status / 100, 4) << body;
  EXPECT_EQ(submit_json("{").status, 400);
  const auto wrong = submit_json(R"({"run":["x"],"gpus":2,"priority":"high"})");
  EXPECT_EQ(wrong.status, 422);
  const auto value = parse_json(wrong.body);
  EXPECT_EQ(text_at(value, "/code"), "invalid");
  EXPECT_EQ(wrong.headers.at("content-type"), "application/problem+json");
  EXPECT_EQ(value.at("errors").as_array().size(), 2u);
  EXPECT_EQ(backend.submits(), 0u);
}

TEST_F(Submit, EmptyAndUnreadableBodiesAreRefused) {
  for (const auto* type : {"application/json", "application/yaml"}) {
    for (const std::string& body : {std::string(), std::string("\xff\xfe"), std::string("{\"run\":[\"a\0b\"]}", 15),
                                    std::string(10'000, '['), std::string(10'000, '{')}) {
      const auto reply = post("/api/v1/jobs", type, body);
      EXPECT_TRUE(reply.status == 400 || reply.status == 422) << type << " " << reply.status;
    }
  }
  EXPECT_EQ(backend.submits(), 0u);
}

TEST_F(Submit, TheSameKeyAndBodyIsTheSameJob) {
  const std::string body = R"({"run":["x"]})";
  const auto first = submit_json(body, {{"Idempotency-Key", "k-1"}});
  const auto again = submit_json(body, {{"Idempotency-Key", "k-1"}});
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(again.status, 201);
  EXPECT_FALSE(first.headers.contains("idempotency-replayed"));
  EXPECT_EQ(again.headers.at("idempotency-replayed"), "true");
  EXPECT_EQ(text_at(parse_json(first.body), "/id"), text_at(parse_json(again.body), "/id"));
  EXPECT_EQ(backend.job_count(), 1u);
}

TEST_F(Submit, TheSameKeyWithAnotherRequestIsAConflict) {
  const std::string body = R"({"run":["x"]})";
  EXPECT_EQ(submit_json(body, {{"Idempotency-Key", "k-1"}}).status, 201);
  EXPECT_EQ(submit_json(R"({"run":["y"]})", {{"Idempotency-Key", "k-1"}}).status, 409);
  EXPECT_EQ(post("/api/v1/jobs", "application/yaml", body, {{"Idempotency-Key", "k-1"}}).status, 409);
  EXPECT_EQ(post("/api/v1/jobs?workdir=/x", "application/json", body, {{"Idempotency-Key", "k-1"}}).status, 409);
  EXPECT_EQ(backend.job_count(), 1u);
}

TEST_F(Submit, KeysAreBoundedAndPrintable) {
  for (const std::string& key :
       {std::string(), std::string(256, 'k'), std::string("a b"), std::string("caf\xc3\xa9")}) {
    const auto reply = submit_json(R"({"run":["x"]})", {{"Idempotency-Key", key}});
    EXPECT_EQ(reply.status, 400) << key;
    EXPECT_EQ(text_at(parse_json(reply.body), "/errors/0/pointer"), "/header/Idempotency-Key");
  }
  EXPECT_EQ(submit_json(R"({"run":["x"]})", {{"Idempotency-Key", std::string(255, 'k')}}).status, 201);
}

TEST_F(Submit, ADryRunShowsWhatItWouldBeAndMakesNothing) {
  const auto reply = post("/api/v1/jobs?dry_run=1", "application/yaml", "run: [b.py]\narray: 3\n---\nrun: [c]\n");
  EXPECT_EQ(reply.status, 200);
  const auto value = parse_json(reply.body);
  ASSERT_EQ(value.at("items").as_array().size(), 2u);
  EXPECT_EQ(text_at(value, "/items/0/name"), "b");
  EXPECT_EQ(text_at(value, "/items/0/jobs"), "3");
  EXPECT_EQ(text_at(value, "/items/1/spec/priority"), "50");
  EXPECT_EQ(text_at(value, "/items/1/spec/queue"), "default") << "the one that the server finds for it";
  EXPECT_EQ(post("/api/v1/jobs?dry_run=1", "application/yaml", "run: []\n").status, 422);
  EXPECT_EQ(post("/api/v1/jobs?dry_run=maybe", "application/yaml", "run: [a]\n").status, 400);
  EXPECT_EQ(backend.job_count(), 0u);
}

TEST_F(Submit, EachJobHasTheWarningsOfItsSpec) {
  const std::string file = "run: [a]\narray: 2\n---\nrun: [b]\nnodes: 2000\narray: 2\n---\nrun: [c]\n";
  const auto dry = parse_json(post("/api/v1/jobs?dry_run=1", "application/yaml", file).body).at("items").as_array();
  ASSERT_EQ(dry.size(), 3u);
  EXPECT_FALSE(dry[0].as_object().contains("warnings"));
  EXPECT_EQ(text_at(dry[1], "/warnings"), R"(["b is too large"])");
  const auto made = parse_json(post("/api/v1/jobs", "application/yaml", file).body).at("items").as_array();
  ASSERT_EQ(made.size(), 5u);
  for (const std::size_t i : {0u, 1u, 4u}) EXPECT_FALSE(made[i].as_object().contains("warnings")) << i;
  for (const std::size_t i : {2u, 3u}) EXPECT_EQ(text_at(made[i], "/warnings"), R"(["b is too large"])") << i;
  const auto one = submit_json(R"({"name":"wide","run":["x"],"nodes":2000})");
  EXPECT_EQ(text_at(parse_json(one.body), "/warnings/0"), "wide is too large");
}

TEST_F(Submit, AClientThatLeavesInTheMiddleDoesNoHarm) {
  const std::string body = R"({"run":["x"]})";
  {
    RawClient client(port());
    client.send(
        fmt::format("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
                    "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                    kAdmin, body.size(), body.substr(0, 5)));
  }
  backend.pause(true);
  {
    RawClient client(port());
    client.send(ym::testing::to_bytes({.method = "POST",
                                       .target = "/api/v1/jobs",
                                       .token = kAdmin,
                                       .headers = {{"Content-Type", "application/json"}, {"Idempotency-Key", "mine"}},
                                       .body = body}));
    ASSERT_TRUE(eventually([&] { return backend.commands_waiting() == 1; }));
  }
  backend.pause(false);
  ASSERT_TRUE(eventually([&] { return backend.submits() == 1; }));
  const auto again = submit_json(body, {{"Idempotency-Key", "mine"}});
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.headers.at("idempotency-replayed"), "true");
  EXPECT_EQ(backend.job_count(), 1u);
}

TEST_F(Submit, WhatControlRefusesIsShownWithItsStatus) {
  const std::map<ErrorCode, int> expected{{ErrorCode::unavailable, 503},  {ErrorCode::conflict, 409},
                                          {ErrorCode::forbidden, 403},    {ErrorCode::too_large, 413},
                                          {ErrorCode::rate_limited, 429}, {ErrorCode::internal, 500},
                                          {ErrorCode::corrupt, 500}};
  for (const auto& [code, status] : expected) {
    backend.fail_commands(Error{code, "because"});
    const auto reply = submit_json(R"({"run":["x"]})");
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(code_of(reply), to_string(code));
    EXPECT_EQ(reply.headers.contains("retry-after"), status == 503 || status == 429);
  }
}

TEST_F(Submit, AwaitsA100ContinueIfAskedTo) {
  RawClient client(port());
  client.send(
      fmt::format("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
                  "Content-Type: application/json\r\nContent-Length: 13\r\nExpect: 100-continue\r\n\r\n",
                  kAdmin));
  ASSERT_EQ(client.read_head()->status, 100);
  client.send(R"({"run":["x"]})");
  EXPECT_EQ(client.read_reply()->status, 201);
}

TEST_F(Submit, ChunkedBodiesAreRead) {
  RawClient client(port());
  client.send(
      fmt::format("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
                  "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "5;ext=1\r\n{{\"run\r\n8\r\n\":[\"x\"]}}\r\n0\r\n\r\n",
                  kAdmin));
  EXPECT_EQ(client.read_reply()->status, 201);
}

}  // namespace
}  // namespace ym::api
