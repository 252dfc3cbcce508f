#include "papers/queueing/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "papers/queueing/deadline_table.h"
#include "papers/queueing/gang_table.h"
#include "papers/queueing/named_policies.h"
#include "papers/queueing/traces.h"

namespace ym::sim::queueing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kChronus =
    "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,expect_time_list,expect_value_list,"
    "best_effort,job_type\n";

class QueueingTable : public ::testing::Test {
 public:
  QueueingTable() {
    if (::mkdtemp(folder_.data()) == nullptr) std::abort();
    write("philly.csv",
          "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,1,66.0,e13805\n"
          "2017-10-09 07:00:55,30.0,64,66.0,e13805\n2017-10-09 07:01:55,5.0,8,40.0,ed69ec\n"
          "2017-10-09 07:01:55,5.0,1,5.0,unheard\n");
    write("kalos_completed_train_jobs.csv",
          "job_id,submit_s,duration_s,num_gpus,num_nodes,cpu_per_gpu,is_pretrain\n0,0,104.0,1024,128,15.0,0\n"
          "1,40,78.0,2048,256,15.0,0\n");
    write("trace_job_Philly_SLO.csv", std::string(kChronus) +
                                          "0,a,4,10,9,m,20,8,282,10,0,strict\n1,a,0,5,9,m,20,8,28,10,0,strict\n"
                                          "2,a,1,5,9,m,20,8,30-60,10-5,0,soft\n3,a,8,10,9,m,30,8,282,10,1,best\n");
  }
  ~QueueingTable() override { std::filesystem::remove_all(folder_); }
  QueueingTable(const QueueingTable&) = delete;
  QueueingTable& operator=(const QueueingTable&) = delete;

 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_ = std::filesystem::temp_directory_path() / "ym-queueing-XXXXXX";
};

TEST_F(QueueingTable, PartsVirtualClustersAndScalesThem) {
  const auto read = read_philly(path("philly.csv"), 4);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->left_out, 1);
  ASSERT_EQ(read->clusters.size(), 2U);
  EXPECT_EQ(read->clusters[0].name, "e13805");
  EXPECT_EQ(read->clusters[0].shape.nodes, 8) << "a quarter of 16 are too few for the largest job";
  EXPECT_EQ(read->clusters[0].jobs[0].gpus, 64);
  EXPECT_EQ(read->clusters[0].jobs[1].submit_us, 60 * kSecond);
  EXPECT_EQ(read->clusters[0].jobs[1].work_us, 66 * kSecond);
  EXPECT_EQ(read->clusters[1].shape.nodes, 2);
}

TEST_F(QueueingTable, ReadsDeadlinesFromTheFirstSubmissionOn) {
  const auto read = read_chronus(path("trace_job_Philly_SLO.csv"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->left_out, 1);
  ASSERT_EQ(read->jobs.size(), 3U);
  EXPECT_EQ(read->jobs[0].id, 2);
  EXPECT_EQ(read->jobs[1].submit_us, 300 * kSecond);
  EXPECT_EQ(read->deadlines[0].kind, JobKind::soft);
  EXPECT_EQ(read->deadlines[0].steps[1].until_us, 3600 * kSecond);
  EXPECT_EQ(read->deadlines[1].steps[0].until_us, (5 + 282) * 60 * kSecond);
  EXPECT_TRUE(read->deadlines[2].steps.empty());
}

TEST_F(QueueingTable, SaysWhereAFileIsWrong) {
  const auto error_of = [&](const std::string& row) {
    write("wrong.csv", std::string(kChronus) + row);
    return read_chronus(path("wrong.csv")).error().message;
  };
  EXPECT_THAT(error_of("0,a,4,10,9,m,20,8,282,10,0,hard\n"), HasSubstr("wrong.csv:2: column 12 (job_type): 'hard'"));
  EXPECT_THAT(error_of("0,a,4,10,9,m,20,8,282-300,10,0,soft\n"), HasSubstr("another length"));
  EXPECT_THAT(error_of("0,a,4,10,9,m,20,8,300-282,10-5,0,soft\n"), HasSubstr("does not rise"));
  EXPECT_THAT(error_of("0,a,4,10,9,m,20,8,30-60,10-5,0,strict\n"), HasSubstr("more than one"));
  EXPECT_THAT(error_of("0,a,4,10,9,m,20,8,30,ten,0,strict\n"), HasSubstr("no list of values"));
}

TEST_F(QueueingTable, HasRowsByVirtualClusterAndTogether) {
  std::vector<std::string> seen;
  const auto rows =
      queueing_table({.folder = folder_, .policies = {"FIFO strict", "engine"}, .engine_clusters = {"ed69ec"}},
                     [&](const TableRow& row) { seen.push_back(row.cluster + " " + row.policy); });
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_THAT(seen, ElementsAre("e13805 FIFO strict", "ed69ec FIFO strict", "ed69ec engine", "all FIFO strict"));
  EXPECT_EQ(rows->front().large.jobs, 1);
  EXPECT_EQ(rows->back().figures.jobs, 3);
  EXPECT_EQ(rows->back().times_bound(), 1);
  EXPECT_EQ(table_header().size(), to_text(rows->back()).size());
}

TEST_F(QueueingTable, HasGangsCloserAndCloser) {
  const auto rows = gang_table({.folder = folder_, .faster = {1, 8}, .policies = {"FIFO strict"}});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ(rows->front().all.mean_queueing_s, 64 / 2.0);
  EXPECT_EQ(rows->back().by_class[4].mean_queueing_s, 99 / 2.0);
  EXPECT_EQ(rows->back().by_class[0].jobs, 0);
  EXPECT_EQ(gang_header().size(), to_text(rows->back()).size());
  const auto small = gang_table({.folder = folder_, .shape = {.nodes = 128}, .policies = {"FIFO strict"}});
  EXPECT_THAT(small.error().message, HasSubstr(":3: 2048 GPUs are more than there are"));
}

TEST_F(QueueingTable, HasDeadlinesByPolicy) {
  const auto rows = deadline_table(
      {.folder = folder_, .traces = {"SLO"}, .policies = {"SRTF", "engine, deadline"}, .engine_every = 2});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_EQ(rows->front().figures.soft_value, 1);
  EXPECT_EQ(rows->front().figures.missed, 0);
  EXPECT_EQ(rows->front().figures.best_effort_completion_s, 1800);
  EXPECT_EQ((*rows)[2].trace, "SLO/2");
  EXPECT_EQ((*rows)[2].figures.strict, 0);
  EXPECT_EQ(deadline_header().size(), to_text(rows->front()).size());
}

TEST_F(QueueingTable, SaysWhatIsMissing) {
  EXPECT_EQ(queueing_table({.folder = folder_ + "/none"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(queueing_table({.folder = folder_, .policies = {"lottery"}}).error().message,
            "no policy is called lottery");
  EXPECT_EQ(gang_table({.folder = folder_ + "/none"}).error().code, ErrorCode::not_found);
  EXPECT_THAT(deadline_table({.folder = folder_, .traces = {"MIX9"}}).error().message,
              HasSubstr("trace_job_Philly_MIX9.csv.gz"));
}

TEST_F(QueueingTable, IsInTheExpectedOrderOnKalos) {
  const std::string folder = std::string(YM_SOURCE_DIR) + "/../shared/traces/acme-kalos-2023";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the published traces are not here";
  const auto rows =
      gang_table({.folder = folder, .faster = {8}, .policies = {"FIFO strict", "FIFO backfilling", "SRTF"}});
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_LT((*rows)[1].all.mean_completion_s, (*rows)[0].all.mean_completion_s);
  EXPECT_LT((*rows)[2].all.mean_completion_s, (*rows)[1].all.mean_completion_s);
  for (const GangTableRow& row : *rows) EXPECT_GE(row.times_bound(), 1);
}

}  // namespace
}  // namespace ym::sim::queueing
