#include "papers/service/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ym::sim::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kColumns = "job_id,num_gpu,submit_time,iterations,model_name,iteration_time\n";

class ServiceTable : public ::testing::Test {
 public:
  ServiceTable() {
    if (::mkdtemp(folder_.data()) == nullptr) std::abort();
    write("restart_overhead.csv", "num_gpu,model_name,overhead_s\n1,bert,7\n8,bert,9\n");
    write("published_results.csv", "policy,trace,avg_jct_s,makespan_s,p99_jct_s\nSRSF,tiny,1015.5,2000.25,1016\n");
    write("tiny.csv", std::string(kColumns) + "0,1,0,1000,bert,1000\n1,8,5000,20,gpt2,500\n");
  }
  ~ServiceTable() override { std::filesystem::remove_all(folder_); }
  ServiceTable(const ServiceTable&) = delete;
  ServiceTable& operator=(const ServiceTable&) = delete;

 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_ = std::filesystem::temp_directory_path() / "ym-service-XXXXXX";
};

TEST_F(ServiceTable, ReadsJobsWithTheirOverheads) {
  const auto overheads = read_overheads(path("restart_overhead.csv"));
  ASSERT_TRUE(overheads);
  const auto jobs = read_jobs(path("tiny.csv"), *overheads, 64);
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 2U);
  EXPECT_EQ((*jobs)[0].work_us, 1015 * kSecond);
  EXPECT_EQ((*jobs)[0].overhead_us, 7 * kSecond);
  EXPECT_EQ((*jobs)[1].submit_us, 5 * kSecond);
  EXPECT_EQ((*jobs)[1].work_us, 10'150'000);
  EXPECT_EQ((*jobs)[1].overhead_us, kOtherOverhead);
}

TEST_F(ServiceTable, SortsJobsBySubmissionThenId) {
  write("mixed.csv", std::string(kColumns) + "2,1,10,1,a,1\n1,1,10,1,a,1\n0,1,20,1,a,1\n");
  const auto jobs = read_jobs(path("mixed.csv"), {}, 64);
  ASSERT_TRUE(jobs);
  EXPECT_THAT(*jobs,
              ElementsAre(::testing::Field(&Job::id, 1), ::testing::Field(&Job::id, 2), ::testing::Field(&Job::id, 0)));
}

TEST_F(ServiceTable, RefusesWhatNoClusterHas) {
  const auto jobs = read_jobs(path("tiny.csv"), {}, 4);
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, HasSubstr("tiny.csv:3: column 2 (num_gpu): '8' is more than the cluster has"));
  write("bad.csv", std::string(kColumns) + "0,1,0,0,bert,1000\n");
  EXPECT_FALSE(read_jobs(path("bad.csv"), {}, 64));
  write("published_results.csv", "policy,trace,avg_jct_s,makespan_s,p99_jct_s\nSRSF,tiny,soon,1,1\n");
  EXPECT_FALSE(read_published(path("published_results.csv")));
}

TEST_F(ServiceTable, HasARowForEachPolicyOnEachTraceThatIsThere) {
  std::vector<std::string> seen;
  const auto rows = service_table({.folder = folder_}, [&](const TableRow& row) { seen.push_back(row.policy); });
  ASSERT_TRUE(rows);
  EXPECT_THAT(seen, ElementsAre("SRTF published", "SRTF clean", "SRSF published", "SRSF clean", "Tiresias_L published",
                                "Tiresias_L clean", "declared", "declared-60s", "undeclared", "half-declared",
                                "error-0.5", "error-1.0"));
  EXPECT_FALSE((*rows)[0].published);
  ASSERT_TRUE((*rows)[2].published);
  EXPECT_DOUBLE_EQ((*rows)[2].published->makespan_s, 2000.25);
  EXPECT_GE((*rows)[6].times_bound(), 1);
  EXPECT_DOUBLE_EQ((*rows)[6].summary.mean_completion_s, (1022 + 20.15) / 2);
}

TEST_F(ServiceTable, HasOnlyWhatWasAskedFor) {
  const auto rows = service_table({.folder = folder_, .traces = {"tiny"}, .policies = {"undeclared", "SRSF clean"}});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_THAT(to_text((*rows)[0]), HasSubstr("1016"));
  EXPECT_THAT(to_text((*rows)[1]), HasSubstr("undeclared"));
  EXPECT_EQ(table_header().size(), to_text((*rows)[0]).size());
}

TEST_F(ServiceTable, SaysWhatIsMissing) {
  EXPECT_EQ(service_table({.folder = folder_ + "/none"}).error().code, ErrorCode::not_found);
  EXPECT_THAT(service_table({.folder = folder_, .traces = {"trace9"}}).error().message, HasSubstr("trace9.csv"));
  EXPECT_EQ(service_table({.folder = folder_, .policies = {"fifo"}}).error().message, "no policy is called fifo");
}

}  // namespace
}  // namespace ym::sim::service
