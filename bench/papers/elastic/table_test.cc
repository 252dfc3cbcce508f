// What is read from files, and the table that is made of it.
#include "papers/elastic/table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "papers/elastic/published.h"
#include "papers/elastic/testing/synthetic.h"

namespace ym::sim::elastic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A folder that is there as long as this is.
class ElasticTraces : public ::testing::Test {
 protected:
  ElasticTraces() {
    std::string path = std::filesystem::temp_directory_path() / "ym-elastic-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) std::abort();
    folder_ = path;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  void write_measurements(const std::vector<Profile>& profiles = toy()) const {
    std::string grid = "app,num_nodes,num_replicas,local_bsz,step_time_s,sync_time_s\nother,1,1,1,1,0\n";
    for (const Profile& profile : profiles) {
      write_application(profile);
      for (int nodes = 1; nodes <= 16; ++nodes)
        for (int replicas = nodes; replicas <= 4 * nodes; ++replicas)
          for (const int batch : {1, 32768})
            grid += fmt::format("{},{},{},{},{},0.1\n", profile.name, nodes, replicas, batch, 0.2 * batch);
    }
    write("interp_grid.csv.gz", grid);
  }
  void write_application(const Profile& profile) const {
    const std::string folder = "apps/" + profile.name;
    write(folder + "/placements.csv.gz",
          "placement,local_bsz,step_time,sync_time\n1,32768,0.8,0\n1,1,0.02,0\n2,1,0.05,0.02\n2,32768,0.9,0.02\n");
    std::string epochs = "progress,iteration,metric,grad_sqr,grad_var\n";
    for (std::size_t e = 1; e <= profile.epochs; ++e) epochs += fmt::format("{},{},0.5,1e3,2e4\n", 100 * e, 100 * e);
    for (Count batch = profile.limits.initial; batch <= profile.limits.most; batch *= 2)
      write(fmt::format("{}/validation-{}.csv", folder, batch), epochs);
  }
  void write_workload(const std::string& rows = "toy-0,10,toy,2,32\ntoy-1,20,toy,1,16\n") const {
    write("workloads/workload-1.csv", "name,time,application,num_replicas,batch_size\n" + rows);
  }
  static std::vector<Profile> toy() { return {{.name = "toy", .limits = {16, 32, 4, 64}, .epochs = 2}}; }
  Result<Catalog> catalog() const { return read_catalog(folder_, toy()); }

  std::filesystem::path folder_;
};

TEST_F(ElasticTraces, AreReadByNamesOfColumns) {
  write_measurements();
  const auto catalog = this->catalog();
  ASSERT_TRUE(catalog) << catalog.error().message;
  const Application& toy = catalog->front();
  EXPECT_DOUBLE_EQ(toy.step_time(packed_layout(1), 32768)->step_s, 0.8);
  EXPECT_DOUBLE_EQ(toy.step_time(packed_layout(2), 32768)->step_s, 0.9);
  EXPECT_DOUBLE_EQ(toy.step_time(packed_layout(3), 32768)->step_s, 0.2 * 32768);
  EXPECT_EQ(toy.progress_at()[2], 200);
  write_workload();
  const auto requests = read_workload(folder_ / "workloads/workload-1.csv", *catalog);
  ASSERT_TRUE(requests) << requests.error().message;
  EXPECT_EQ(requests->at(1).name, "toy-1");
  EXPECT_EQ(requests->at(0).gpus, 2U);
  EXPECT_EQ(requests->at(0).batch, 32U);
  EXPECT_EQ(requests->at(1).submit_s, 20);
}

TEST_F(ElasticTraces, SayWhereTheyAreWrong) {
  write_measurements();
  const auto catalog = this->catalog();
  ASSERT_TRUE(catalog);
  const auto error = [&](const std::string& row) {
    write_workload(row);
    const auto requests = read_workload(folder_ / "workloads/workload-1.csv", *catalog);
    return requests ? "" : requests.error().message;
  };
  EXPECT_THAT(error("a,1,unheard,1,16\n"),
              HasSubstr("workload-1.csv:2: column 3 (application): 'unheard' is not known"));
  EXPECT_THAT(error("a,1,toy,1,8\n"), HasSubstr("'8' is none that the application was measured with"));
  EXPECT_THAT(error("a,1,toy,65,16\n"), HasSubstr("is more than the cluster has"));
  EXPECT_THAT(error(""), HasSubstr("there are no jobs in it"));
  write("apps/toy/validation-32.csv", "progress,iteration,metric,grad_sqr,grad_var\n100,100,0.5,1,2\n");
  EXPECT_THAT(this->catalog().error().message, HasSubstr("2 epochs in rising order are wanted"));
  write("apps/toy/validation-32.csv", "progress,iteration,metric,grad_sqr,grad_var\n100,100,0.5,1,x\n");
  EXPECT_THAT(this->catalog().error().message, HasSubstr("'x' is no number"));
}

TEST_F(ElasticTraces, WithOneBatchOfALayoutAreRefused) {
  write_measurements();
  write("apps/toy/placements.csv.gz", "placement,local_bsz,step_time,sync_time\n1,64,0.8,0\n");
  EXPECT_THAT(catalog().error().message, HasSubstr("fewer than two batches"));
}

TEST_F(ElasticTraces, PublishedMeansAreReadFromSummaries) {
  write("jobload-pollux-1.0_summary.json", R"({"jcts": {}, "avgs": {"workload-1": 12.5, "workload-2": 3}})");
  const auto means = read_published(folder_, "jobload-pollux-1.0");
  ASSERT_TRUE(means);
  EXPECT_THAT(*means, ElementsAre(std::pair("workload-1", 12.5), std::pair("workload-2", 3.0)));
  EXPECT_FALSE(read_published(folder_, "jobload-pollux-2.0"));
  write("bad_summary.json", "{]");
  EXPECT_THAT(read_published(folder_, "bad").error().message, HasSubstr("no object 'avgs'"));
}

TEST_F(ElasticTraces, BecomeATable) {
  write_measurements(known_profiles());
  write_workload("bert-0,10,bert,2,32\nncf-1,20,ncf,1,32768\n");
  for (const std::string policy : {"tiresias", "optimus", "pollux"})
    write(fmt::format("published_results/jobload-{}-1.0_summary.json", policy), R"({"avgs": {"workload-1": 900}})");
  const auto rows = elastic_table(folder_, {.workloads = 1});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 2 * policies_of_table().size());
  for (const TableRow& row : *rows) {
    EXPECT_EQ(row.published_s, 900);
    EXPECT_EQ(row.ours_s.has_value(), row.policy != "Pollux");
    if (row.ours_s) EXPECT_GT(*row.ours_s, row.bound_s) << row.policy;
  }
}

TEST(KnownProfiles, HaveLimitsThatDoubleUpToTheMost) {
  for (const Profile& profile : known_profiles()) {
    Count batch = profile.limits.initial;
    while (batch < profile.limits.most) batch *= 2;
    EXPECT_EQ(batch, profile.limits.most) << profile.name;
  }
}

TEST(TableCells, SayWhatThereIs) {
  const TableRow published{.load = "1.0", .workload = "2", .policy = "Pollux", .published_s = 300.04, .bound_s = 200};
  EXPECT_THAT(table_cells(published), ElementsAre("1.0", "2", "Pollux", "300.0", "-", "200.0", "1.50", "-"));
  TableRow ours = published;
  ours.ours_s = 250;
  ours.restarts_per_job = 1.256;
  EXPECT_THAT(table_cells(ours), ElementsAre("1.0", "2", "Pollux", "300.0", "250.0", "200.0", "1.25", "1.26"));
  EXPECT_EQ(table_titles().size(), table_cells(ours).size());
}

}  // namespace
}  // namespace ym::sim::elastic
