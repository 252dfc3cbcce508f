// The verbs that last: wait, logs -f, events -f.

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFeed = "GET /api/v1/events?after=7";
constexpr const char* kMark = "GET /api/v1/jobs?limit=1";

Answer finished(const std::string& job) {
  return {.body = "id: 8\nevent: job.finished\ndata: {\"seq\":8,\"type\":\"job.finished\",\"job\":\"" + job + "\"}\n\n",
          .open = true};
}

TEST(Wait, SucceedsWhenAllDo) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/train", job_json("00000001", "train", "RUNNING"));
  fake.server.on(kMark, list_json(""));
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "train", "RUNNING"));
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "train", "SUCCEEDED"));
  fake.server.on(kFeed, finished("00000001"));
  EXPECT_EQ(fake.run({"wait", "train"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("SUCCEEDED"));
}

TEST(Wait, FailsWhenOneDoes) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "SUCCEEDED"));
  fake.server.on("GET /api/v1/jobs/b", job_json("00000002", "b", "CANCELLED"));
  EXPECT_EQ(fake.run({"wait", "a", "b", "-o", "name"}), 1);
  EXPECT_EQ(fake.out.str(), "00000001\n00000002\n");
}

TEST(Wait, TimeIsUpWithoutAVerdictOnTheJob) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "UNREACHABLE"));
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "a", "UNREACHABLE"));
  fake.server.on(kMark, list_json(""));
  fake.server.on(kFeed, {.open = true});
  const auto begin = fake.now;
  EXPECT_EQ(fake.run({"wait", "a", "--timeout", "2m"}), 124);
  EXPECT_GE(fake.now - begin, minutes(2));
  EXPECT_THAT(fake.out.str(), HasSubstr("UNREACHABLE"));
}

TEST(Wait, GoesOnThroughARestartOfTheServerAndTellsItOnce) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "RUNNING"));
  fake.server.on(kMark, list_json(""));
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "a", "RUNNING"));
  fake.server.on(kFeed, {.lost = true});
  for (int i = 0; i < 12; ++i) fake.server.on("GET /api/v1/jobs/00000001", {.lost = true});
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "a", "SUCCEEDED"));
  EXPECT_EQ(fake.run({"wait", "a"}), 0);
  expect_sentence(fake.err.str());
}

TEST(Wait, LostContactIsNotAFailureOfTheJob) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "RUNNING"));
  fake.server.on(kMark, {.lost = true});
  EXPECT_EQ(fake.run({"wait", "a"}), 6);
  EXPECT_EQ(fake.out.str(), "");
  FakeSession short_fake;
  short_fake.server.on("GET /api/v1/jobs/a", {.lost = true});
  const auto begin = short_fake.now;
  EXPECT_EQ(short_fake.run({"wait", "a", "--timeout", "1s"}), 6);
  EXPECT_LT(short_fake.now - begin, seconds(5));
}

TEST(Wait, RefusesWhatDoesNotExist) {
  FakeSession fake;
  EXPECT_EQ(fake.run({"wait", "nobody"}), 2);
  EXPECT_EQ(fake.run({"wait", "nobody", "--timeout", "soon"}), 2);
}

TEST(Logs, PrintsWhatIsThere) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/train", job_with_attempts("SUCCEEDED", attempt_json(1, "ENDED")));
  fake.server.on("GET /api/v1/jobs/train/logs?rank=0&tail=2", "\x1b[1ma\nb\n");
  EXPECT_EQ(fake.run({"logs", "train", "-n", "2"}), 0);
  EXPECT_EQ(fake.out.str(), "\x1b[1ma\nb\n");
  fake.out.str("");
  fake.session.terminal.out = true;
  EXPECT_EQ(fake.run({"logs", "train", "-n", "2"}), 0);
  EXPECT_EQ(fake.out.str(), "a\nb\n");
  EXPECT_EQ(fake.run({"logs", "train", "--rank", "1"}), 2);
  for (const auto* wrong : {"(", "(a)\\1", "((a{1,999}){1,999}){1,999}"})
    EXPECT_EQ(fake.run({"logs", "train", "--grep", wrong}), 2) << wrong;
}

TEST(Logs, AllRanksWithPrefixes) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/g", job_json("00000001", "g", "RUNNING", R"(,"spec":{"nodes":2})"));
  fake.server.on("GET /api/v1/jobs/g/logs?rank=0", "zero\n");
  fake.server.on("GET /api/v1/jobs/g/logs?rank=1", "one");
  EXPECT_EQ(fake.run({"logs", "g", "--rank", "all"}), 0);
  EXPECT_EQ(fake.out.str(), "[0] zero\n[1] one\n");
}

TEST(Logs, FollowingTakesUpBehindTheLastByteAfterALoss) {
  FakeSession fake;
  const std::string logs = "GET /api/v1/jobs/00000001/logs?attempt=1&rank=0&follow=1";
  fake.server.on("GET /api/v1/jobs/train", job_with_attempts("RUNNING", attempt_json(1, "RUNNING")));
  fake.server.on("GET /api/v1/jobs/00000001", job_with_attempts("SUCCEEDED", attempt_json(1, "ENDED")));
  fake.server.on(logs + "&tail=5", {.body = "abc", .headers = {{"log-offset", "100"}}, .lost = true});
  fake.server.on(logs + "&offset=103", {.body = "de\n"});
  fake.server.on(logs + "&offset=106", {.body = ""});
  EXPECT_EQ(fake.run({"logs", "-f", "-n", "5", "train"}), 0);
  EXPECT_EQ(fake.out.str(), "abcde\n");
}

TEST(Logs, FollowingGoesOnWithTheNextAttempt) {
  FakeSession fake;
  const std::string logs = "GET /api/v1/jobs/00000001/logs?attempt=";
  const auto both = attempt_json(1, "ENDED") + "," + attempt_json(2, "ENDED");
  fake.server.on("GET /api/v1/jobs/train", job_with_attempts("RUNNING", attempt_json(1, "RUNNING")));
  fake.server.on("GET /api/v1/jobs/00000001",
                 job_with_attempts("QUEUED", attempt_json(1, "ENDED"), R"(,"reason":"Backoff")"));
  fake.server.on("GET /api/v1/jobs/00000001",
                 job_with_attempts("QUEUED", attempt_json(1, "ENDED"), R"(,"reason":"Backoff")"));
  fake.server.on("GET /api/v1/jobs/00000001", job_with_attempts("SUCCEEDED", both));
  fake.server.on("GET /api/v1/jobs/00000001/why", R"({"dominant":{"code":"Backoff","message":"for 5s"}})");
  fake.server.on(logs + "1&rank=0&follow=1", "one\n");
  fake.server.on(logs + "1&rank=0&follow=1&offset=4", "");
  fake.server.on(logs + "2&rank=0&follow=1", "two\n");
  EXPECT_EQ(fake.run({"logs", "-f", "train"}), 0);
  EXPECT_EQ(fake.out.str(), "one\ntwo\n");
  expect_sentence(fake.err.str());
}

// Numbers have gaps where the server's state was set back.
TEST(Logs, FollowingGoesOnBehindAGapOfAttempts) {
  FakeSession fake;
  const std::string logs = "GET /api/v1/jobs/00000001/logs?attempt=";
  const auto both = attempt_json(1, "ENDED") + "," + attempt_json(4, "ENDED");
  fake.server.on("GET /api/v1/jobs/train", job_with_attempts("RUNNING", attempt_json(1, "ENDED")));
  fake.server.on("GET /api/v1/jobs/00000001", job_with_attempts("RUNNING", attempt_json(1, "ENDED")));
  fake.server.on("GET /api/v1/jobs/00000001", job_with_attempts("SUCCEEDED", both));
  fake.server.on(logs + "1&rank=0&follow=1", "one\n");
  fake.server.on(logs + "4&rank=0&follow=1", "four\n");
  EXPECT_EQ(fake.run({"logs", "-f", "train"}), 0);
  EXPECT_EQ(fake.out.str(), "one\nfour\n");
}

TEST(Events, FollowsUntilTheEnd) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/train", job_json("00000001", "train", "RUNNING"));
  fake.server.on(
      "GET /api/v1/jobs/00000001/events?after=0",
      {.body = "id: 3\nevent: job.submitted\ndata: {\"seq\":3,\"type\":\"job.submitted\"}\n\n", .lost = true});
  fake.server.on("GET /api/v1/jobs/00000001/events?after=3", finished("00000001"));
  EXPECT_EQ(fake.run({"events", "-f", "train", "-o", "json"}), 0);
  EXPECT_EQ(fake.out.str(),
            "{\"seq\":3,\"type\":\"job.submitted\"}\n{\"seq\":8,\"type\":\"job.finished\",\"job\":\"00000001\"}\n");
}

TEST(Events, ListsAsATable) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/train/events?limit=1000",
                 list_json(R"({"seq":3,"type":"attempt.ended","time":"2027-01-15T08:00:00.123Z","actor":"server",
        "reason":"","job":"00000001","attempt":1,"data":{"ended_by":"exit","exit_code":1,"signal":null}})"));
  EXPECT_EQ(fake.run({"events", "train"}), 0);
  EXPECT_EQ(fake.out.str(),
            "SEQ  TIME                 TYPE           JOB         ACTOR   DETAILS\n"
            "  3  2027-01-15 08:00:00  attempt.ended  00000001.1  server  ended_by=exit  exit_code=1\n");
}

TEST(Events, SayWhichObjectOfTheConfigurationChanged) {
  FakeSession fake;
  const auto event = [](const std::string& data) {
    return R"({"seq":3,"type":"x.set","time":"2027-01-15T08:00:00.123Z","actor":"root","reason":"by","data":)" + data +
           "}";
  };
  fake.server.on("GET /api/v1/events?limit=1000",
                 list_json(event(R"({"queue":{"name":"team-a","weight":1}})") + "," +
                           event(R"({"node":{"name":"n4","schedulable":false,"withheld":null,"message":"disks"}})") +
                           "," + event(R"({"node":{"name":"n4","schedulable":true,"message":""}})") + "," +
                           event(R"({"policy":{"scheduling":{"age_cap":"3h","fair_share":null}}})")));
  EXPECT_EQ(fake.run({"events"}), 0);
  for (const auto* line : {"root   by  queue=team-a\n", "root   by  node=n4  drained=true  message=disks\n",
                           "root   by  node=n4  drained=false\n", "root   by  scheduling.age_cap=3h\n"})
    EXPECT_THAT(fake.out.str(), HasSubstr(line));
}

}  // namespace
}  // namespace ym::cli
