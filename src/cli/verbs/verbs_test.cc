#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kMine =
    "GET "
    "/api/v1/jobs?spec=summary&state=HELD%2CQUEUED%2CSTARTING%2CRUNNING%2CSTOPPING%2CUNREACHABLE&user=ada&limit=1000";

TEST(Ps, ShowsMyUnfinishedJobs) {
  FakeSession fake;
  fake.server.on("GET /api/v1/whoami", R"({"user":"ada","role":"admin"})");
  fake.server.on(kMine, list_json(job_json("00000002", "eval", "QUEUED", R"(,"reason":"WaitingForQuota")") + "," +
                                  job_json("00000001", "train", "RUNNING",
                                           R"(,"started_at":"2027-01-15T07:59:30.000Z",
                                              "spec":{"nodes":2,"resources":{"gpus":"t4:4"}},
                                              "attempts":[{"number":1,"placement":[{"node":"n1"},{"node":"n2"}]}])")));
  EXPECT_EQ(fake.run({"ps"}), 0);
  EXPECT_EQ(fake.out.str(),
            "ID        NAME   USER  QUEUE  PRI  GPUS  STATE    FOR  NODES  REASON\n"
            "00000002  eval   ada   q       50     -  QUEUED    1m         WaitingForQuota\n"
            "00000001  train  ada   q       50     8  RUNNING  30s  n1 n2\n");
  EXPECT_EQ(fake.connections.at(0).token.reveal(), "secret");
}

TEST(Ps, ReadsAllPagesAndGivesOneArray) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs?limit=1000", list_json(job_json("00000002", "b", "FAILED"), "\"c1\""));
  fake.server.on("GET /api/v1/jobs?limit=999&cursor=c1", list_json(job_json("00000001", "a", "SUCCEEDED")));
  EXPECT_EQ(fake.run({"ps", "-A", "-o", "json", "--limit", "1000"}), 0);
  EXPECT_THAT(fake.out.str(), StartsWith("[\n  {\n    \"id\": \"00000002\""));
  EXPECT_THAT(fake.out.str(), HasSubstr("\"id\": \"00000001\""));
}

TEST(Ps, TakesStatesInAnyCase) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs?spec=summary&state=TIMED_OUT%2CFAILED&queue=a&limit=1000", list_json(""));
  EXPECT_EQ(fake.run({"-o", "name", "ps", "-A", "--state", "timed-out,failed", "--queue", "a"}), 0);
  EXPECT_EQ(fake.run({"ps", "--state", "sleeping"}), 2);
  expect_sentence(fake.err.str());
}

TEST(Ps, ALargeArrayTakesOneRow) {
  FakeSession fake;
  std::string jobs;
  for (int i = 0; i < 7; ++i)
    jobs += std::string(i > 0 ? "," : "") + job_json("0000001" + std::to_string(i), "sweep-" + std::to_string(i),
                                                     i < 2 ? "RUNNING" : "QUEUED",
                                                     R"(,"group_id":"00000010","group_index":)" + std::to_string(i));
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000", list_json(jobs));
  EXPECT_EQ(fake.run({"ps", "-A"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("00000010  sweep x7"));
  EXPECT_THAT(fake.out.str(), HasSubstr("5 QUEUED 2 RUNNING"));
  EXPECT_THAT(fake.out.str(), Not(HasSubstr("sweep-3")));
}

TEST(Get, ShowsAJobWithItsAttempts) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/train",
                 job_json("00000001", "train", "FAILED",
                          R"(,"started_at":"2027-01-15T07:59:30.000Z","ended_at":"2027-01-15T07:59:50.000Z",
          "spec":{"run":["python","x y"],"workdir":"/w","nodes":1,"launcher":"none",
                  "resources":{"gpus":2,"cpus":2,"memory":"64GiB"}},
          "attempts":[{"number":1,"state":"ENDED","placement":[{"node":"n1","devices":["0","1"]}],
            "started_at":"2027-01-15T07:59:30.000Z","ended_at":"2027-01-15T07:59:50.000Z","ended_by":"exit","exit_code":3}])"));
  EXPECT_EQ(fake.run({"get", "train"}), 0);
  EXPECT_THAT(fake.out.str(), StartsWith("train (00000001)  FAILED 20s  queue=q  priority 50  user ada\n"));
  EXPECT_THAT(fake.out.str(), HasSubstr("wants       1 node x 2 GPUs, 2 CPUs, 64GiB\n"));
  EXPECT_THAT(fake.out.str(), HasSubstr("1        ENDED  2027-01-15 07:59:30  20s   exit code 3  n1:0,1"));
}

TEST(Get, OneIdGivesAnObjectSeveralAnArray) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "QUEUED"));
  EXPECT_EQ(fake.run({"get", "a", "-o", "json"}), 0);
  EXPECT_THAT(fake.out.str(), StartsWith("{\n  \"id\": \"00000001\""));
  fake.out.str("");
  EXPECT_EQ(fake.run({"get", "a", "a", "-o", "yaml"}), 0);
  EXPECT_THAT(fake.out.str(), StartsWith("-\n  id: \"00000001\"\n  name: \"a\"\n"));
}

TEST(Act, GoesOnAfterAMistakeAndReportsIt) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs/a/hold", job_json("00000001", "a", "HELD"));
  EXPECT_EQ(fake.run({"hold", "nobody", "a"}), 2);
  EXPECT_EQ(fake.out.str(), "00000001  a  HELD\n");
  expect_sentence(fake.err.str());
}

TEST(Act, ManyAreCancelledByOneRequest) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs:cancel", R"({"items":[)" + job_json("00000001", "a", "CANCELLED") +
                                                 R"(],"refused":[{"job":"b","code":"conflict","detail":"b is over"},
                                                 {"job":"nobody","code":"not_found","detail":"there is no nobody"}]})");
  EXPECT_EQ(fake.run({"cancel", "nobody", "a", "b"}), 2);
  ASSERT_EQ(fake.server.requests.size(), 1U);
  EXPECT_EQ(fake.server.requests.front().body, R"({"jobs":["nobody","a","b"]})");
  EXPECT_EQ(fake.out.str(), "00000001  a  CANCELLED\n");
  expect_sentence(fake.err.str());
}

TEST(Act, TheServerTakesSoManyAtOnce) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs:cancel", R"({"items":[],"refused":[]})");
  std::vector<std::string> words{"cancel"};
  for (int i = 0; i < 10'001; ++i) words.push_back("j" + std::to_string(i));
  EXPECT_EQ(fake.run(words), 0);
  ASSERT_EQ(fake.server.requests.size(), 2U);
  EXPECT_EQ(fake.server.requests.back().body, R"({"jobs":["j10000"]})");
}

TEST(Nodes, ShowsTheJobsThatUseThem) {
  FakeSession fake;
  fake.server.on(
      "GET /api/v1/nodes?limit=1000",
      list_json(R"({"name":"n1","cluster":"lab","gpu_type":"t4","cpus":16,"memory":68719476736,"schedulable":false,
       "message":"fan","devices":[{"id":"0","healthy":true,"job":"00000001","jobs":["00000001"]},{"id":"1","healthy":true,"job":null,"jobs":[]}],
       "used":{"cpus":0.5,"memory":0,"gpus":1}})"));
  EXPECT_EQ(fake.run({"nodes"}), 0);
  EXPECT_EQ(fake.out.str(),
            "NODE  CLUSTER  TYPE  GPUS    CPUS    MEMORY  STATE          JOBS\n"
            "n1    lab      t4     1/2  0.5/16  0B/64GiB  drained (fan)  00000001\n");
}

TEST(Nodes, ShowsWhyDevicesAreUnhealthy) {
  FakeSession fake;
  fake.server.on("GET /api/v1/nodes?limit=1000", list_json(R"({"name":"n1","cluster":"lab","devices":[
       {"id":"0","healthy":false,"message":"held by x"},{"id":"1","healthy":false,"message":"held by x"},
       {"id":"2","healthy":false,"message":"worn"}]})"));
  EXPECT_EQ(fake.run({"nodes"}), 0);
  EXPECT_NE(fake.out.str().find("ready, 3 GPUs unhealthy: held by x; worn"), std::string::npos) << fake.out.str();
}

TEST(Node, DrainsWithAReason) {
  FakeSession fake;
  fake.server.on("POST /api/v1/nodes/n1/drain", R"({"name":"n1"})");
  EXPECT_EQ(fake.run({"node", "drain", "n1", "--message", "fan", "-o", "name"}), 0);
  EXPECT_EQ(fake.server.requests.at(0).body, R"({"message":"fan"})");
}

TEST(ExitCodes, FollowWhatTheServerSays) {
  struct Case {
    int status;
    std::string code;
    int exit;
  };
  for (const auto& [status, code, exit] : std::initializer_list<Case>{{400, "invalid", 2},
                                                                      {401, "unauthenticated", 4},
                                                                      {403, "forbidden", 5},
                                                                      {404, "not_found", 2},
                                                                      {409, "ambiguous", 2},
                                                                      {409, "something_new", 2},
                                                                      {410, "expired", 2},
                                                                      {429, "rate_limited", 6},
                                                                      {500, "internal", 6},
                                                                      {503, "unavailable", 6}}) {
    FakeSession fake;
    fake.server.on("GET /api/v1/jobs/x", {.status = status, .body = R"({"code":")" + code + R"(","detail":"d"})"});
    EXPECT_EQ(fake.run({"get", "x"}), exit) << status;
    expect_sentence(fake.err.str());
  }
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", {.lost = true});
  EXPECT_EQ(fake.run({"get", "x"}), 6);
  fake.server.on("GET /api/v1/jobs/y", {.status = 502, .body = "<html>"});
  EXPECT_EQ(fake.run({"get", "y"}), 6);
  fake.server.on("GET /api/v1/jobs/z", "<html>");
  EXPECT_EQ(fake.run({"get", "z"}), 6);
}

TEST(ExitCodes, UsageIsTwo) {
  for (const auto& words : std::initializer_list<std::vector<std::string>>{{},
                                                                           {"nonsense"},
                                                                           {"get"},
                                                                           {"ps", "--nonsense"},
                                                                           {"ps", "-o", "xml"},
                                                                           {"logs", "x", "-n", "many"},
                                                                           {"run"},
                                                                           {"run", "--bogus", "x"}}) {
    FakeSession fake;
    EXPECT_EQ(fake.run(words), 2);
    EXPECT_THAT(fake.err.str(), StartsWith("ym: "));
    EXPECT_EQ(fake.out.str(), "");
  }
  FakeSession lost;
  EXPECT_EQ(lost.run({"statsu"}), 2);
  expect_sentence(lost.err.str());
  FakeSession fake;
  EXPECT_EQ(fake.run({"--help"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("Exit codes: 0 ok"));
}

TEST(Version, IsPrinted) {
  FakeSession fake;
  EXPECT_EQ(fake.run({"version", "-o", "json"}), 0);
  EXPECT_EQ(fake.out.str(), "{\n  \"version\": \"" YM_VERSION "\"\n}\n");
}

}  // namespace
}  // namespace ym::cli
