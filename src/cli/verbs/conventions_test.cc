// What holds for every verb: help, errors, labels.
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Help, OfAVerbListsTheCommonOptions) {
  for (const auto& words : std::initializer_list<std::vector<std::string>>{
           {"get", "--help"}, {"run", "--help"}, {"queue", "apply", "--help"}, {"help", "logs"}}) {
    FakeSession fake;
    EXPECT_EQ(fake.run(words), 0);
    for (const auto* option : {"--url", "--token", "-o,--output"}) EXPECT_THAT(fake.out.str(), HasSubstr(option));
  }
  FakeSession fake;
  EXPECT_EQ(fake.run({"help"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("ym VERB --help"));
}

TEST(Help, TheVersionIsAnOptionToo) {
  FakeSession fake;
  EXPECT_EQ(fake.run({"--version"}), 0);
  EXPECT_EQ(fake.out.str(), "ym " YM_VERSION "\n");
}

TEST(Get, LabelsWhereAJobIsApartFromWhyItWaits) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/run",
                 job_json("00000001", "run", "RUNNING",
                          R"(,"reason":null,"message":"","attempts":[{"number":1,"placement":[{"node":"n1"}]}])"));
  EXPECT_EQ(fake.run({"get", "run"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("where       n1\n"));
  EXPECT_THAT(fake.out.str(), Not(HasSubstr("reason ")));
  fake.out.str("");
  fake.server.on("GET /api/v1/jobs/wait", job_json("00000002", "wait", "QUEUED", R"(,"reason":"WaitingForQuota")"));
  EXPECT_EQ(fake.run({"get", "wait"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("reason      WaitingForQuota\n"));
}

TEST(Get, AMessageIsSaidOnce) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x",
                 job_json("00000001", "x", "FAILED", R"(,"message":"exit code 3","spec":{"nodes":1,
                    "resources":{"gpus":0,"cpus":1,"memory":0}},
                    "attempts":[{"number":1,"state":"ENDED","ended_by":"exit","exit_code":3,"message":"exit code 3"}])"));
  EXPECT_EQ(fake.run({"get", "x"}), 0);
  const auto text = fake.out.str();
  EXPECT_THAT(text, HasSubstr("message     exit code 3\n"));
  EXPECT_THAT(text, HasSubstr("wants       1 node, 1 CPU\n"));
  EXPECT_THAT(text, ::testing::EndsWith("1        ENDED  -        -     exit code 3\n"));
}

TEST(Ps, AQueueThatIsNotThereIsNoEmptyOne) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs?spec=summary&queue=nowhere&limit=1000", list_json(""));
  fake.server.on("GET /api/v1/queues?limit=1000", list_json(R"({"name":"a"},{"name":"b"})"));
  EXPECT_EQ(fake.run({"ps", "-A", "--queue", "nowhere"}), 2);
  expect_sentence(fake.err.str());
  fake.server.on("GET /api/v1/jobs?spec=summary&queue=a&limit=1000", list_json(""));
  EXPECT_EQ(fake.run({"ps", "-A", "--queue", "a"}), 0);
}

TEST(Errors, InJsonAreOneProblem) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x",
                 {.status = 404, .body = R"({"code":"not_found","detail":"there is no job 'x'"})"});
  EXPECT_EQ(fake.run({"get", "x", "-o", "json"}), 2);
  EXPECT_EQ(fake.err.str(), R"({"type":"urn:yardmaster:problem:not_found","code":"not_found",)"
                            R"("detail":"there is no job 'x'","errors":[]})"
                            "\n");
}

TEST(Queue, ListAndDelete) {
  FakeSession fake;
  fake.server.on("GET /api/v1/queues?limit=1000", list_json(R"({"name":"a"})"));
  EXPECT_EQ(fake.run({"queue", "list", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "a\n");
  fake.out.str("");
  fake.server.on("DELETE /api/v1/queues/a", R"({"name":"a","removed":true})");
  fake.server.on("DELETE /api/v1/queues/b", {.status = 202, .body = R"({"name":"b","removed":false})"});
  fake.server.on("DELETE /api/v1/queues/c", {.status = 409, .body = R"({"code":"conflict","detail":"of the file"})"});
  EXPECT_EQ(fake.run({"queue", "delete", "a", "b", "c"}), 2);
  expect_sentence(fake.out.str());
  expect_sentence(fake.err.str());
}

TEST(Queue, ApplyShowsWhatWasSet) {
  FakeSession fake;
  fake.in.str("queues: []");
  fake.server.on("POST /api/v1/queues", list_json(R"({"name":"a","parent":"org","policy":{"preempt":"never"},
      "quota":{"t4":{"gpus":{"nominal":8,"borrow":4,"lend":null},"memory":{"nominal":68719476736}}}},
     {"name":"b","parent":null,"policy":{"preempt":"any"},"quota":null})"));
  EXPECT_EQ(fake.run({"queue", "apply", "-f", "-"}), 0);
  EXPECT_EQ(fake.out.str(),
            "QUEUE  PARENT  PREEMPT  FLAVOR  RESOURCE  NOMINAL  BORROW  LEND\n"
            "a      org     never    t4      gpus            8       4     -\n"
            "                        t4      memory      64GiB       -     -\n"
            "b              any\n");
}

TEST(Tokens, ThatCannotBeOneAreNotSent) {
  for (const std::string& token :
       {std::string("a b"), std::string("a\nb"), std::string("a\x01"), std::string("\xc3\xa9")}) {
    FakeSession fake;
    fake.variables["YM_TOKEN"] = token;
    EXPECT_EQ(fake.run({"ps"}), 4);
    expect_sentence(fake.err.str());
    EXPECT_THAT(fake.err.str(), Not(HasSubstr(token)));
    EXPECT_TRUE(fake.connections.empty());
  }
}

TEST(Follow, DoesNotTellThatAJobHasOnlyJustCome) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", job_json("00000001", "x", "QUEUED", R"(,"reason":"PendingEvaluation")"));
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "x", "CANCELLED"));
  EXPECT_EQ(fake.run({"logs", "-f", "x"}), 0);
  EXPECT_EQ(fake.err.str(), "");
}

}  // namespace
}  // namespace ym::cli
