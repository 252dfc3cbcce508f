// What people are shown of jobs whose number of nodes is a range.
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using testing::HasSubstr;

TEST(Ps, AnElasticJobShowsWhatItMayHaveOrWhatItHas) {
  FakeSession fake;
  const std::string spec = R"(,"spec":{"nodes":{"min":2,"max":4},"resources":{"gpus":8,"cpus":8}})";
  const std::string placed = R"(,"attempts":[{"number":1,"placement":[{"node":"n1"},{"node":"n2"},{"node":"n3"}]}])";
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000",
                 list_json(job_json("00000002", "a", "QUEUED", spec + placed) + "," +
                           job_json("00000001", "b", "RUNNING", spec + placed)));
  EXPECT_EQ(fake.run({"ps", "-A"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("00000002  a     ada   q       50  16-32  QUEUED "));
  EXPECT_THAT(fake.out.str(), HasSubstr("00000001  b     ada   q       50     24  RUNNING"));
  fake.server.on("GET /api/v1/jobs/a", job_json("00000002", "a", "QUEUED", spec));
  EXPECT_EQ(fake.run({"get", "a"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("wants       2 to 4 nodes x 8 GPUs, 8 CPUs\n"));
}

TEST(Logs, AnElasticJobHasTheRanksOfItsAttempt) {
  FakeSession fake;
  const std::string spec = R"(,"spec":{"nodes":{"min":1,"max":4}})";
  const std::string attempts = R"(,"attempts":[{"number":1,"placement":[{"node":"n1"},{"node":"n2"}]}])";
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "RUNNING", spec + attempts));
  EXPECT_EQ(fake.run({"logs", "a", "--rank", "2"}), 2);
  EXPECT_EQ(fake.err.str(), "ym: --rank: write 0 to 1, or all\n");
}

}  // namespace
}  // namespace ym::cli
