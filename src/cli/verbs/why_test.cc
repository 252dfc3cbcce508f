// What `ym why` says of the answer of a server.
#include <string>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;

TEST(Why, ExplainsWithNumbers) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/ddp", job_json("0000000A", "ddp", "QUEUED"));
  fake.server.on(
      "GET /api/v1/jobs/ddp/why",
      R"({"dominant":{"code":"WaitingForQuota","message":"research uses 56 of 64 GPUs; the job needs 16","numbers":{}},
         "also":[{"code":"Fragmented","message":"largest block 8"}],
         "ahead":[{"id":"00000001","name":"llm","user":"alice","gpus":32}],"ahead_total":2,
         "reservation":{"from":"2026-11-21T12:05:00.000Z","until":null,"nodes":["n1","n2"]},
         "predicted_start":{"median":"2026-11-21T11:40:00.000Z","low":"2026-11-21T11:10:00.000Z",
                            "high":"2026-11-21T12:05:00.000Z"},
         "sooner":[{"key":"nodes","value":"1","message":"with nodes: 1 it would start now"}]})");
  EXPECT_EQ(fake.run({"why", "ddp"}), 0);
  expect_sentence(fake.out.str());
}

TEST(Why, ALateEndThatIsNotKnownIsLeftOpen) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", job_json("0000000A", "x", "QUEUED"));
  const std::string_view why = R"({"dominant":{"code":"Priority","message":"","numbers":{}},"ahead_total":0,)";
  fake.server.on("GET /api/v1/jobs/x/why", std::string(why) + R"("predicted_start":{"median":"2026-11-21T11:40:00.000Z",
                                       "low":"2026-11-21T11:10:00.000Z","high":null},"sooner":[]})");
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  expect_sentence(row_of(fake.out.str(), "start"));
}

TEST(Why, AStartThatIsNotInSight) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", job_json("0000000A", "x", "QUEUED"));
  fake.server.on("GET /api/v1/jobs/x/why", R"({"dominant":{"code":"Priority","message":"","numbers":{}},"ahead_total":0,
      "forecast":{"as_of":"2026-11-21T09:00:00.000Z","until":"2026-12-05T09:00:00.000Z"},
      "predicted_start":null,"sooner":[]})");
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  expect_sentence(row_of(fake.out.str(), "start"));
}

TEST(Why, SaysWhyThereIsNoEstimate) {
  for (const std::string cause :
       {"no-time-limit", "out-of-contact", "not-looked-at", "nothing-expected", "beyond-horizon", "one-that-is-new"}) {
    FakeSession fake;
    fake.server.on("GET /api/v1/jobs/x", job_json("0000000A", "x", "QUEUED"));
    fake.server.on("GET /api/v1/jobs/x/why",
                   R"({"dominant":{"code":"Priority","message":"","numbers":{}},"ahead_total":0,"forecast":{)"
                   R"("as_of":"2027-01-15T08:00:00.000Z","until":"2027-01-29T08:00:00.000Z"},"predicted_start":null,)"
                   R"("sooner":[],"no_estimate":")" +
                       cause + "\"}");
    EXPECT_EQ(fake.run({"why", "x"}), 0);
    expect_sentence(row_of(fake.out.str(), "start"));
  }
}

// It is 08:00:00; seconds count for ten minutes.
TEST(Why, AStartWithinMinutesIsSaidToTheSecond) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", job_json("0000000A", "x", "QUEUED"));
  fake.server.on("GET /api/v1/jobs/x/why",
                 R"({"dominant":{"code":"Priority","message":"","numbers":{}},"ahead_total":0,"predicted_start":{
                     "low":"2027-01-15T08:00:07.250Z","median":"2027-01-15T08:10:00.000Z",
                     "high":"2027-01-15T08:10:01.000Z"},"sooner":[],"deadline":{"verdict":"feasible",
                     "at":"2027-01-15T10:00:00.000Z","start":"2027-01-15T08:02:03.000Z","needed":"1h"}})");
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  for (const auto* label : {"start", "deadline"}) expect_sentence(row_of(fake.out.str(), label));
}

TEST(Why, AJobThatRunsDoesNotWait) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x/why",
                 R"({"state":"RUNNING","message":"","because":["admitted","within quota"],"dominant":null})");
  fake.server.on("GET /api/v1/jobs/x",
                 job_json("00000001", "x", "RUNNING", R"(,"attempts":[{"number":1,"placement":[{"node":"n1"}]}])"));
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  expect_sentence(fake.out.str());
  fake.out.str("");
  EXPECT_EQ(fake.run({"why", "x", "-o", "json"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("\"dominant\": null"));
}

}  // namespace
}  // namespace ym::cli
