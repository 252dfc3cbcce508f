// What `ym why` says of the answer of a server.
#include <map>
#include <string>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using testing::HasSubstr;

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
  EXPECT_EQ(fake.out.str(),
            "ddp (0000000A)  QUEUED 1m  queue=q  2 ahead\n"
            "blocked by  WaitingForQuota     research uses 56 of 64 GPUs; the job needs 16\n"
            "also        Fragmented          largest block 8\n"
            "ahead       llm (alice, 32 GPUs) and 1 more\n"
            "reserved    from 2026-11-21 12:05 UTC on n1, n2, or earlier\n"
            "start       ~2026-11-21 11:40 UTC (80%: 2026-11-21 11:10 to 2026-11-21 12:05)\n"
            "sooner      nodes: 1  -> now\n");
}

TEST(Why, ALateEndThatIsNotKnownIsLeftOpen) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", job_json("0000000A", "x", "QUEUED"));
  const std::string_view why = R"({"dominant":{"code":"Priority","message":"","numbers":{}},"ahead_total":0,)";
  fake.server.on("GET /api/v1/jobs/x/why", std::string(why) + R"("predicted_start":{"median":"2026-11-21T11:40:00.000Z",
                                       "low":"2026-11-21T11:10:00.000Z","high":null},"sooner":[]})");
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("start       ~2026-11-21 11:40 UTC (80%: from 2026-11-21 11:10 on)\n"));
}

TEST(Why, AStartThatIsNotInSight) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", job_json("0000000A", "x", "QUEUED"));
  fake.server.on("GET /api/v1/jobs/x/why", R"({"dominant":{"code":"Priority","message":"","numbers":{}},"ahead_total":0,
      "forecast":{"as_of":"2026-11-21T09:00:00.000Z","until":"2026-12-05T09:00:00.000Z"},
      "predicted_start":null,"sooner":[]})");
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("start       no estimate: not before 2026-12-05 09:00 UTC\n"));
}

TEST(Why, SaysWhyThereIsNoEstimate) {
  const std::map<std::string, std::string> said{
      {"no-time-limit", "jobs that it waits for have no time limit"},
      {"out-of-contact", "jobs that it waits for are out of contact"},
      {"not-looked-at", "the last forecast did not reach this job"},
      {"nothing-expected", "no expected event lets it start"},
      {"beyond-horizon", "not before 2027-01-29 08:00 UTC"},
      {"one-that-is-new", "not before 2027-01-29 08:00 UTC"},
  };
  for (const auto& [cause, sentence] : said) {
    FakeSession fake;
    fake.server.on("GET /api/v1/jobs/x", job_json("0000000A", "x", "QUEUED"));
    fake.server.on("GET /api/v1/jobs/x/why",
                   R"({"dominant":{"code":"Priority","message":"","numbers":{}},"ahead_total":0,"forecast":{)"
                   R"("as_of":"2027-01-15T08:00:00.000Z","until":"2027-01-29T08:00:00.000Z"},"predicted_start":null,)"
                   R"("sooner":[],"no_estimate":")" +
                       cause + "\"}");
    EXPECT_EQ(fake.run({"why", "x"}), 0);
    EXPECT_THAT(fake.out.str(), HasSubstr("start       no estimate: " + sentence + "\n"));
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
  EXPECT_THAT(fake.out.str(), HasSubstr("start       ~2027-01-15 08:10:00 UTC (80%: 2027-01-15 08:00:07 to "
                                        "2027-01-15 08:10)\n"));
  EXPECT_THAT(fake.out.str(), HasSubstr("deadline    2027-01-15 10:00 UTC: feasible; it starts by 2027-01-15 "
                                        "08:02:03 UTC and takes at most 1h\n"));
}

TEST(Why, AJobThatRunsDoesNotWait) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x/why",
                 R"({"state":"RUNNING","message":"","because":["admitted","within quota"],"dominant":null})");
  fake.server.on("GET /api/v1/jobs/x",
                 job_json("00000001", "x", "RUNNING", R"(,"attempts":[{"number":1,"placement":[{"node":"n1"}]}])"));
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  EXPECT_THAT(fake.out.str(),
              HasSubstr("where       n1\nbecause     admitted\nbecause     within quota\nIt does not wait.\n"));
  fake.out.str("");
  EXPECT_EQ(fake.run({"why", "x", "-o", "json"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("\"dominant\": null"));
}

}  // namespace
}  // namespace ym::cli
