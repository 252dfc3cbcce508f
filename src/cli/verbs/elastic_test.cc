// What people are shown of jobs whose number of nodes is a range.
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;

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

TEST(Get, AnAnchorIsShown) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a",
                 job_json("00000002", "a", "QUEUED",
                          R"(,"spec":{"nodes":4,"resources":{"gpus":8,"cpus":8},"placement":{"anchor":1}})"));
  EXPECT_EQ(fake.run({"get", "a"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("wants       4 nodes x 8 GPUs, 1 of them on demand, 8 CPUs\n"));
}

TEST(Get, PartsOfGpusAreShownAsTheyWereAskedFor) {
  const auto request_text = [](const std::string& resources) {
    FakeSession fake;
    fake.server.on("GET /api/v1/jobs/a",
                   job_json("00000002", "a", "QUEUED", R"(,"spec":{"nodes":1,"resources":{)" + resources + "}}"));
    EXPECT_EQ(fake.run({"get", "a"}), 0);
    const auto text = fake.out.str();
    const auto begin = text.find("1 node");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(request_text(R"("gpu_share":0.5,"gpu_memory":"8GiB")"), "1 node x 0.5 GPUs with 8GiB");
  EXPECT_EQ(request_text(R"("gpu_share":"t4:0.25","gpu_memory":"8GiB")"), "1 node x 0.25 t4 GPUs with 8GiB");
  EXPECT_EQ(request_text(R"("mig":"1g.10gb:2")"), "1 node x 2 MIG 1g.10gb");
  EXPECT_EQ(request_text(R"("mig":"h100:1g.10gb:2")"), "1 node x 2 h100 MIG 1g.10gb");
  EXPECT_EQ(request_text(R"("gpus":"h100:8 | a100:8")"), "1 node x 8 h100 or a100 GPUs");
}

TEST(Logs, AnElasticJobHasTheRanksOfItsAttempt) {
  FakeSession fake;
  const std::string spec = R"(,"spec":{"nodes":{"min":1,"max":4}})";
  const std::string attempts = R"(,"attempts":[{"number":1,"placement":[{"node":"n1"},{"node":"n2"}]}])";
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "RUNNING", spec + attempts));
  EXPECT_EQ(fake.run({"logs", "a", "--rank", "2"}), 2);
  expect_sentence(fake.err.str());
}

}  // namespace
}  // namespace ym::cli
