// Ranges of an array's members, and its members that failed.
#include "cli/members.h"

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::string member_json(int id, int index, const std::string& state) {
  return job_json("0000000" + std::to_string(id), "sw-" + std::to_string(index), state,
                  R"(,"group_id":"00000001","group_index":)" + std::to_string(index));
}

class Members : public ::testing::Test {
 protected:
  // Member 1 failed, and its retry 00000005 has too; member 2 failed and succeeded when it was retried.
  void SetUp() override {
    const std::string list = member_json(6, 2, "SUCCEEDED") + "," + member_json(5, 1, "FAILED") + "," +
                             member_json(4, 2, "FAILED") + "," + member_json(3, 1, "FAILED") + "," +
                             member_json(2, 0, "RUNNING");
    fake.server.on("GET /api/v1/jobs?group=sw&limit=1000", list_json(list));
    fake.server.on("GET /api/v1/jobs/sw",
                   {.status = 409, .body = R"({"code":"ambiguous","detail":"'sw' is an array"})"});
  }
  std::vector<std::string> posted() const {
    std::vector<std::string> targets;
    for (const auto& request : fake.server.requests)
      if (request.method == "POST") targets.push_back(request.target);
    return targets;
  }
  FakeSession fake;
};

TEST(MemberRange, IsIndicesAndSpans) {
  const auto range = parse_members("sweep[1,4-6]").value();
  EXPECT_EQ(range.array, "sweep");
  EXPECT_THAT(range.ranges, ElementsAre(Pair(1, 1), Pair(4, 6)));
  EXPECT_TRUE(range.has(5));
  EXPECT_FALSE(range.has(2));
  for (const auto* wrong : {"a[]", "a[x]", "[1]", "a[3-1]", "a[1", "a[1,]", "a[-1]", "a[1-]"})
    EXPECT_EQ(parse_members(wrong).error().code, ErrorCode::invalid) << wrong;
}

TEST_F(Members, RetryFailedTakesMembersWithAFailedNewestJob) {
  fake.server.on("POST /api/v1/jobs/00000005/retry", {.status = 201, .body = member_json(7, 1, "QUEUED")});
  EXPECT_EQ(fake.run({"retry", "sw", "--failed"}), 0);
  EXPECT_THAT(posted(), ElementsAre("/api/v1/jobs/00000005/retry"));
  EXPECT_EQ(fake.out.str(), "00000007  sw-1  QUEUED\n");
}

TEST_F(Members, RetryFailedIsDoneWhereNoneHasFailed) {
  EXPECT_EQ(fake.run({"retry", "sw[0,2]", "--failed"}), 0);
  EXPECT_THAT(posted(), ::testing::IsEmpty());
  EXPECT_EQ(fake.out.str(), "");
  EXPECT_EQ(fake.run({"retry", "sw[0,2]", "--failed", "-o", "json"}), 0);
  EXPECT_EQ(fake.out.str(), "[]\n") << "a script reads a list";
}

TEST_F(Members, ARangeIsChangedWhereTheVerbApplies) {
  fake.server.on("POST /api/v1/jobs/00000002/cancel", {.status = 202, .body = member_json(2, 0, "STOPPING")});
  EXPECT_EQ(fake.run({"cancel", "sw[0-1]"}), 0);
  EXPECT_THAT(posted(), ElementsAre("/api/v1/jobs/00000002/cancel")) << "the other one has ended";
  EXPECT_EQ(fake.run({"cancel", "sw[1-2]"}), to_int(exit_code_of(ErrorCode::conflict)));
  EXPECT_EQ(fake.run({"cancel", "sw[1-3]"}), to_int(exit_code_of(ErrorCode::not_found)));
  EXPECT_EQ(fake.run({"cancel", "sw[x]"}), to_int(exit_code_of(ErrorCode::invalid)));
}

TEST_F(Members, WaitAndGetTakeARange) {
  EXPECT_EQ(fake.run({"wait", "sw[2]", "-o", "name"}), 0) << "00000004 failed, but was retried";
  EXPECT_EQ(fake.out.str(), "00000006\n");
  EXPECT_EQ(fake.run({"wait", "sw[1,2]", "-o", "name"}), 1);
  fake.out.str("");
  EXPECT_EQ(fake.run({"get", "sw[0-1]", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "00000002\n00000005\n");
}

TEST_F(Members, LogsOfSeveralStandBelowTheirNames) {
  for (const auto* id : {"00000005", "00000006"}) {
    const std::string job = std::string("/api/v1/jobs/") + id;
    fake.server.on("GET " + job, member_json(id[7] - '0', id[7] - '4', "SUCCEEDED"));
    fake.server.on("GET " + job + "/logs?rank=0", std::string("of ") + id + "\n");
  }
  EXPECT_EQ(fake.run({"logs", "sw[1-2]"}), 0) << fake.err.str();
  EXPECT_EQ(fake.out.str(), "==> sw-1 <==\nof 00000005\n==> sw-2 <==\nof 00000006\n");
  EXPECT_EQ(fake.run({"logs", "-f", "sw[1-2]"}), 2);
}

TEST_F(Members, PsFindsAnArrayByItsName) {
  fake.server.on("GET /api/v1/jobs?spec=summary&group=sw&limit=1000",
                 list_json(member_json(2, 0, "RUNNING") + "," + member_json(5, 1, "FAILED")));
  fake.server.on("GET /api/v1/jobs?spec=summary&name=sw&limit=1000", list_json(""));
  EXPECT_EQ(fake.run({"ps", "-A", "--name", "sw", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "00000002\n00000005\n");
  fake.out.str("");
  EXPECT_EQ(fake.run({"ps", "-A", "--name", "sw[1]", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "00000005\n");
}

TEST_F(Members, ARetriedMemberCountsOnceInACollapsedArray) {
  std::string jobs = member_json(9, 0, "SUCCEEDED");
  for (int i = 0; i < 6; ++i) jobs += "," + member_json(i, i, i == 0 ? "FAILED" : "RUNNING");
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000", list_json(jobs));
  EXPECT_EQ(fake.run({"ps", "-A"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("sw x6"));
  EXPECT_THAT(fake.out.str(), HasSubstr("5 RUNNING 1 SUCCEEDED"));
}

}  // namespace
}  // namespace ym::cli
