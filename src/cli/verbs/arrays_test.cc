// Verbs that take an array as a whole.
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string array_member_json(int id, int index, const std::string& state, const std::string& more = "") {
  return job_json("0000000" + std::to_string(id), "sw-" + std::to_string(index), state,
                  R"(,"group_id":"00000001","group_index":)" + std::to_string(index) + more);
}

class Arrays : public ::testing::Test {
 protected:
  void SetUp() override {
    fake.server.on("GET /api/v1/jobs/sw",
                   {.status = 409, .body = R"({"code":"ambiguous","detail":"'sw' is an array; name sw-0 to sw-2"})"});
  }
  void has_members(const std::string& members) {
    fake.server.on("GET /api/v1/jobs?group=sw&limit=1000", list_json(members));
  }
  FakeSession fake;
};

TEST_F(Arrays, GetShowsEachMember) {
  const std::string began = R"(,"started_at":"2027-01-15T07:59:00.000Z")";
  has_members(array_member_json(4, 2, "QUEUED") + "," +
              array_member_json(3, 1, "FAILED", began + R"(,"ended_at":"2027-01-15T08:00:00.000Z")") + "," +
              array_member_json(2, 0, "RUNNING", began));
  EXPECT_EQ(fake.run({"get", "sw"}), 0);
  EXPECT_EQ(fake.out.str(),
            "ID        NAME  USER  QUEUE  PRI  GPUS  STATE    FOR  NODES  REASON\n"
            "00000002  sw-0  ada   q       50     -  RUNNING   1m\n"
            "00000003  sw-1  ada   q       50     -  FAILED    1m\n"
            "00000004  sw-2  ada   q       50     -  QUEUED    1m\n");
  fake.out.str("");
  EXPECT_EQ(fake.run({"get", "sw", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "00000002\n00000003\n00000004\n");
  fake.out.str("");
  EXPECT_EQ(fake.run({"get", "sw", "-o", "json"}), 0);
  EXPECT_THAT(fake.out.str(), ::testing::StartsWith("[\n"));
}

TEST_F(Arrays, ActVerbsTakeTheServersMembers) {
  fake.server.on("POST /api/v1/jobs/sw/cancel",
                 {.status = 202,
                  .body = list_json(array_member_json(2, 0, "STOPPING") + "," + array_member_json(3, 1, "CANCELLED"))});
  EXPECT_EQ(fake.run({"cancel", "sw"}), 0);
  EXPECT_EQ(fake.out.str(), "00000002  sw-0  STOPPING\n00000003  sw-1  CANCELLED\n");
  fake.out.str("");
  EXPECT_EQ(fake.run({"cancel", "sw", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "00000002\n00000003\n");
}

TEST_F(Arrays, WaitIsForTheNewestOfEachMember) {
  has_members(array_member_json(5, 1, "SUCCEEDED") + "," + array_member_json(3, 1, "FAILED") + "," +
              array_member_json(2, 0, "SUCCEEDED"));
  EXPECT_EQ(fake.run({"wait", "sw", "-o", "name"}), 0) << "00000003 failed, but was retried";
  EXPECT_EQ(fake.out.str(), "00000002\n00000005\n");
}

TEST_F(Arrays, WaitLooksOnlyAtTheMemberThatEnded) {
  has_members(array_member_json(3, 1, "RUNNING") + "," + array_member_json(2, 0, "RUNNING"));
  fake.server.on("GET /api/v1/jobs?limit=1", list_json(""));
  fake.server.on("GET /api/v1/jobs/00000002", array_member_json(2, 0, "RUNNING"));
  fake.server.on("GET /api/v1/jobs/00000002", array_member_json(2, 0, "SUCCEEDED"));
  fake.server.on("GET /api/v1/jobs/00000003", array_member_json(3, 1, "RUNNING"));
  fake.server.on("GET /api/v1/jobs/00000003", array_member_json(3, 1, "SUCCEEDED"));
  const auto event = [](int seq, const std::string& job) {
    return "id: " + std::to_string(seq) + "\nevent: job.finished\ndata: {\"seq\":" + std::to_string(seq) +
           ",\"type\":\"job.finished\",\"job\":\"" + job + "\"}\n\n";
  };
  fake.server.on("GET /api/v1/events?after=7", {.body = event(8, "00000003"), .open = true});
  fake.server.on("GET /api/v1/events?after=8", {.body = event(9, "00000002"), .open = true});
  EXPECT_EQ(fake.run({"wait", "sw"}), 0);
  std::map<std::string, int> asked;
  for (const auto& request : fake.server.requests) ++asked[request.target];
  EXPECT_EQ(asked["/api/v1/jobs/00000002"], 2);
  EXPECT_EQ(asked["/api/v1/jobs/00000003"], 2);
}

TEST_F(Arrays, LogsSayWhichMembersThereAre) {
  EXPECT_EQ(fake.run({"logs", "sw"}), 2);
  expect_sentence(fake.err.str());
}

TEST_F(Arrays, ACollapsedArraySaysWhatMostOfItWaitsFor) {
  std::string jobs;
  for (int i = 0; i < 7; ++i)
    jobs += std::string(i > 0 ? "," : "") +
            array_member_json(i, i, "QUEUED", i < 2 ? R"(,"reason":"Held")" : R"(,"reason":"WaitingForQuota")");
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000", list_json(jobs));
  EXPECT_EQ(fake.run({"ps", "-A"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("7 QUEUED"));
  EXPECT_THAT(fake.out.str(), HasSubstr("5 WaitingForQuota"));
  EXPECT_THAT(fake.out.str(), Not(HasSubstr("Held")));
}

TEST_F(Arrays, ACollapsedArraySaysFirstWhatFailed) {
  std::string jobs = array_member_json(6, 6, "FAILED", R"(,"message":"exit code 1")");
  for (int i = 0; i < 6; ++i)
    jobs += "," + array_member_json(i, i, i < 4 ? "SUCCEEDED" : "RUNNING", i < 4 ? R"(,"message":"completed")" : "");
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000", list_json(jobs));
  EXPECT_EQ(fake.run({"ps", "-A"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("1 exit code 1; 4 completed\n"));
}

TEST_F(Arrays, ACollapsedArraySumsWhatIsAtRiskAndShowsItsOldestSave) {
  const auto saved = [](const std::string& time) {
    return R"(,"checkpoints":[{"uri":"/ck","step":5,"durable_at":"2027-01-15T)" + time + R"(.000Z","attempt":1}])";
  };
  std::string jobs = array_member_json(9, 9, "SUCCEEDED", saved("06:00:00"));
  for (int i = 0; i < 5; ++i)
    jobs += "," + array_member_json(i, i, "RUNNING",
                                    R"(,"work_at_risk_gpu_seconds":10.5)" + saved("07:59:4" + std::to_string(i)));
  jobs += "," + array_member_json(5, 5, "QUEUED");
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000", list_json(jobs));
  EXPECT_EQ(fake.run({"ps", "-A", "-o", "wide"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("PROGRESS  SAVED   AT RISK\n"));
  EXPECT_THAT(fake.out.str(), HasSubstr("              20s  52 GPU-s\n")) << fake.out.str();
}

TEST(Retry, IsSentUnderAKeySoThatItMakesOneJob) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs/a/retry", {.lost = true});
  fake.server.on("POST /api/v1/jobs/a/retry", {.status = 201, .body = job_json("00000009", "a", "QUEUED")});
  EXPECT_EQ(fake.run({"retry", "a"}), 0);
  EXPECT_EQ(fake.out.str(), "00000009  a  QUEUED\n");
  ASSERT_EQ(fake.server.requests.size(), 2u);
  EXPECT_EQ(fake.server.requests[0].headers.at("Idempotency-Key").size(), 32u);
  EXPECT_EQ(fake.server.requests[0].headers.at("Idempotency-Key"),
            fake.server.requests[1].headers.at("Idempotency-Key"));
}

}  // namespace
}  // namespace ym::cli
