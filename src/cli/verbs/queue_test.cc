// What `ym queue` and its verbs show and send.
#include <fstream>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

TEST(Queue, ShowsTheTree) {
  FakeSession fake;
  fake.server.on("GET /api/v1/queues?limit=1000",
                 list_json(R"({"name":"a","parent":"org","counts":{"queued":3,"held":0,"active":2},
        "usage":[{"flavor":"t4","resource":"cpus","nominal":64,"used":1,"borrowed":0,"lately":0.5},
                 {"flavor":"t4","resource":"gpus","nominal":8,"used":10,"borrowed":2,"lately":7.25}]},
       {"name":"org","parent":null,"counts":{"queued":0,"held":0,"active":0},"usage":[]})"));
  EXPECT_EQ(fake.run({"queue"}), 0);
  EXPECT_EQ(fake.out.str(),
            "QUEUE  QUEUED  HELD  ACTIVE  FLAVOR  RESOURCE  NOMINAL  USED  BORROWED  LATELY\n"
            "org         0     0       0\n"
            "  a         3     0       2  t4      gpus            8    10         2    7.25\n");
}

TEST(Queue, ShowsWhichAreHeld) {
  FakeSession fake;
  fake.server.on("GET /api/v1/queues?limit=1000", list_json(R"({"name":"a","parent":"org","policy":{"stop":"none"}},
                              {"name":"b","parent":null,"policy":{"stop":"hold-and-drain"}},
                              {"name":"org","parent":null,"policy":{"stop":"hold"}})"));
  EXPECT_EQ(fake.run({"queue"}), 0);
  for (const auto* line : {"b (drained)", "org (held)", "  a (held)"})
    EXPECT_THAT(fake.out.str(), ::testing::HasSubstr(line));
}

TEST(Queue, ShowsTheDecayedUsageOfUsers) {
  FakeSession fake;
  fake.server.on("GET /api/v1/queues?limit=1000", list_json(R"({"name":"a","users":[
        {"user":"ann","flavor":"t4","lately":{"cpus":4,"memory":1073741824,"gpus":3.5}},
        {"user":"bob","flavor":"t4","lately":{"cpus":0.25,"memory":0,"gpus":0.1}}]},
       {"name":"org","users":[]})"));
  EXPECT_EQ(fake.run({"queue", "users"}), 0);
  EXPECT_EQ(fake.out.str(),
            "QUEUE  USER  FLAVOR  GPUS  CPUS  MEMORY\n"
            "a      ann   t4       3.5     4    1GiB\n"
            "a      bob   t4       0.1  0.25      0B\n");
}

TEST(Queue, AppliesAFile) {
  FakeSession fake;
  fake.server.on("POST /api/v1/queues", list_json(R"({"name":"a"})"));
  fake.in.str("queues: [{name: a}]");
  EXPECT_EQ(fake.run({"queue", "apply", "-f", "-", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "a\n");
  EXPECT_EQ(fake.server.requests.at(0).headers.at("Content-Type"), "application/yaml");
}

TEST(Queue, AFileThatIsWrongIsNamed) {
  FakeSession fake;
  const std::string problem = R"({"code":"invalid","detail":"/queues/0: no, line 3",
                                  "errors":[{"pointer":"/queues/0","message":"no, line 3"}]})";
  fake.server.on("POST /api/v1/queues", Answer{.status = 422, .body = problem});
  const auto path = ::testing::TempDir() + "queues.yaml";
  std::ofstream(path) << "queues: []";
  EXPECT_EQ(fake.run({"queue", "apply", "-f", path}), 2);
  expect_sentence(without_path(fake.err.str(), path));
}

TEST(Queue, IsHeldDrainedAndResumed) {
  FakeSession fake;
  fake.server.on("POST /api/v1/queues/a/drain", R"({"name":"a","policy":{"stop":"hold-and-drain"}})");
  fake.server.on("POST /api/v1/queues/a/resume", R"({"name":"a","policy":{"stop":"none"}})");
  EXPECT_EQ(fake.run({"queue", "drain", "a"}), 0);
  EXPECT_EQ(fake.run({"queue", "resume", "a"}), 0);
  EXPECT_EQ(fake.out.str(), "a  stop: hold-and-drain\na  stop: none\n");
  EXPECT_NE(fake.run({"queue", "hold", "nowhere"}), 0);
}

TEST(Reservation, IsMadeListedAndGivenBack) {
  FakeSession fake;
  const std::string paper = R"({"name":"paper","from":"2026-11-23T08:00:00.000Z","until":"2026-11-23T12:00:00.000Z",
      "nodes":["n1","n2","n3","n4","n5"],"users":["eve"],"queues":["team"],"maintenance":false,"message":"deadline"})";
  const std::string disks = R"({"name":"disks","from":"2026-11-23T08:00:00.000Z","until":"2026-11-23T12:00:00.000Z",
      "nodes":["n9"],"users":[],"queues":[],"maintenance":true,"message":""})";
  fake.server.on("POST /api/v1/reservations", paper);
  fake.server.on("GET /api/v1/reservations?limit=1000", list_json(disks + "," + paper));
  fake.server.on("DELETE /api/v1/reservations/paper", R"({"name":"paper","removed":true})");
  EXPECT_EQ(fake.run({"reservation", "create", "paper", "--from", "2026-11-23T08:00:00Z", "--duration", "4h", "--nodes",
                      "n[1-5]", "--users", "eve", "--queues", "team", "--message", "deadline"}),
            0);
  EXPECT_EQ(fake.server.requests.back().body,
            R"({"name":"paper","from":"2026-11-23T08:00:00Z","duration":"4h","message":"deadline",)"
            R"("nodes":["n[1-5]"],"users":["eve"],"queues":["team"]})");
  fake.out.str("");
  EXPECT_EQ(fake.run({"reservation", "list"}), 0);
  EXPECT_EQ(fake.out.str(),
            "RESERVATION  FROM                      UNTIL                     NODES           FOR                 "
            "MESSAGE\n"
            "disks        2026-11-23T08:00:00.000Z  2026-11-23T12:00:00.000Z  n9              none (maintenance)\n"
            "paper        2026-11-23T08:00:00.000Z  2026-11-23T12:00:00.000Z  n1,n2,n3,n4 +1  eve, queue team     "
            "deadline\n");
  fake.out.str("");
  EXPECT_EQ(fake.run({"reservation", "delete", "paper"}), 0);
  EXPECT_EQ(fake.out.str(), "paper  removed\n");
}

TEST(Policy, SaysWhatAChangeWouldDo) {
  FakeSession fake;
  fake.server.on("POST /api/v1/policy/diff", R"({"as_of":"2026-11-21T11:00:00.000Z","waiting":4,
      "starts":[{"id":"00000001","name":"train","user":"ann","queue":"a"}],"keeps_waiting":[],
      "stops":[{"id":"00000002","name":"low","user":"bob","queue":"b","makes_room_for":"00000001",
                "drained_queue":null,"lost_gpu_seconds":120.5}],"spares":[],
      "sooner":[],"later":[{"id":"00000003","name":"eval","user":"bob","queue":"b",
                            "before":"2026-11-21T12:00:00.000Z","after":null}]})");
  fake.in.str("queues: [{name: a}]");
  EXPECT_EQ(fake.run({"policy", "diff", "-f", "-"}), 0);
  EXPECT_EQ(fake.out.str(),
            "CHANGE  JOB               USER  QUEUE  WHAT\n"
            "starts  train (00000001)  ann   a\n"
            "stops   low (00000002)    bob   b      room for job 00000001; 120.5 GPU-seconds lost\n"
            "later   eval (00000003)   bob   b      not in sight instead of 2026-11-21 12:00 UTC\n");
}

TEST(Policy, SaysThatNothingWouldChange) {
  FakeSession fake;
  fake.server.on("POST /api/v1/policy/diff", R"({"waiting":4,"starts":[],"later":[]})");
  fake.in.str("queues: [{name: a}]");
  EXPECT_EQ(fake.run({"policy", "diff", "-f", "-"}), 0);
  expect_sentence(fake.out.str());
}

constexpr const char* kPolicy = R"({"scheduling":{"age_cap":"4h","placement":"pack"},
  "preemption":{"preemptions_per_hour":2},
  "said_by":{"scheduling.age_cap":"default","scheduling.placement":"api","preemption.preemptions_per_hour":"file"}})";

TEST(Policy, IsShownWithItsSource) {
  FakeSession fake;
  fake.server.on("GET /api/v1/policy", kPolicy);
  EXPECT_EQ(fake.run({"policy", "show"}), 0);
  EXPECT_EQ(fake.out.str(),
            "SETTING                          VALUE  SOURCE\n"
            "scheduling.age_cap               4h     default\n"
            "scheduling.placement             pack   api\n"
            "preemption.preemptions_per_hour  2      file\n");
}

TEST(Policy, IsAppliedFromAFileAndReset) {
  FakeSession fake;
  fake.server.on("POST /api/v1/policy", kPolicy);
  fake.server.on("DELETE /api/v1/policy", kPolicy);
  fake.in.str("scheduling: {placement: pack}");
  EXPECT_EQ(fake.run({"policy", "apply", "-f", "-"}), 0);
  EXPECT_EQ(fake.run({"policy", "reset"}), 0);
  EXPECT_THAT(fake.out.str(), ::testing::HasSubstr("scheduling.placement             pack   api"));
}

}  // namespace
}  // namespace ym::cli
