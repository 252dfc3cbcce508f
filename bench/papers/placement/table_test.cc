#include "papers/placement/table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "papers/placement/list_name.h"
#include "papers/placement/traces.h"

namespace ym::sim::placement {
namespace {

// A folder like that of the traces, as long as this is there.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("ym-placement-{}", ::getpid())) {
    std::filesystem::create_directories(path_ / "published_results");
    write("openb_node_list_gpu_node.csv.gz",
          "sn,cpu_milli,memory_mib,gpu,model\nb,32000,65536,2,T4\na,96000,393216,8,G2\nc,0,0,0,\n");
    write("openb_pod_list_tiny.csv.gz",
          "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
          "p2,4000,8192,1,1000,T4|X\np1,1000,1024,1,500,\np3,2000,1024,0,0,\np4,8000,8192,2,1000,X\n");
    write("published_results/analysis_allo_discrete.csv.gz",
          "workload,sc_policy,seed,100,130\nopenb_pod_list_tiny,06-FGD,42,90.5,91\nopenb_pod_list_tiny,06-FGD,43,91.5,"
          "92\n");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TableOptions quick(const Folder& folder) {
  TableOptions options;
  options.folder = folder.path();
  options.seeds = 2;
  options.learn.rounds = 1;
  options.learn.runs = 1;
  options.churn.measure = 3;
  return options;
}

TEST(PlacementTraces, AreReadByName) {
  const Folder folder;
  const auto fleet = read_fleet(folder.path() + "/openb_node_list_gpu_node.csv.gz");
  ASSERT_TRUE(fleet) << fleet.error().message;
  EXPECT_EQ(fleet->names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(fleet->capacity_milli(), 10'000);
  const auto list = read_pods(folder.path() + "/openb_pod_list_tiny.csv.gz", *fleet);
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->name, "tiny");
  EXPECT_EQ(list->demand_milli(), 3500);
  const auto shape = [&](std::size_t pod) { return list->shapes[list->pods[pod]]; };
  EXPECT_EQ(shape(0).gpu_milli, 500);
  EXPECT_TRUE(fleet->rooms[0].fits(shape(0)));
  EXPECT_FALSE(fleet->rooms[0].fits(shape(1))) << "it wants a T4";
  EXPECT_TRUE(fleet->rooms[1].fits(shape(1)));
  EXPECT_FALSE(fleet->rooms[1].fits(shape(3))) << "nobody has an X";
}

TEST(PlacementTraces, SayWhatIsWrong) {
  const Folder folder;
  folder.write("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,1,1,9,G2\n");
  const auto fleet = read_fleet(folder.path() + "/nodes.csv");
  ASSERT_FALSE(fleet);
  EXPECT_NE(fleet.error().message.find("nodes.csv:2: column 4 (gpu): '9'"), std::string::npos) << fleet.error().message;
  folder.write("pods.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1,1,2,500\n");
  EXPECT_FALSE(read_pods(folder.path() + "/pods.csv", {}));
}

TEST(Published, AreMeansOverSeeds) {
  const Folder folder;
  const auto results = read_published(folder.path() + "/published_results/analysis_allo_discrete.csv.gz");
  ASSERT_TRUE(results) << results.error().message;
  const auto& fgd = results->at({"tiny", "06-FGD"});
  EXPECT_DOUBLE_EQ(fgd.at_100, 91);
  EXPECT_DOUBLE_EQ(fgd.at_130, 91.5);
  EXPECT_EQ(fgd.seeds, 2);
}

TEST(FillTable, HasARowForEachPolicyAndIsTheSameAgain) {
  const Folder folder;
  TableOptions options = quick(folder);
  options.with_compared = true;
  const auto once = fill_table(options), again = fill_table(options);
  ASSERT_TRUE(once) << once.error().message;
  ASSERT_TRUE(again);
  ASSERT_EQ(once->size(), 8U);
  EXPECT_EQ(once->at(5).policy, "fgd");
  EXPECT_DOUBLE_EQ(once->at(5).published->at_130, 91.5);
  EXPECT_FALSE(once->at(7).published);
  EXPECT_DOUBLE_EQ(once->at(7).fgd->at_130, 91.5);
  for (std::size_t i = 0; i < once->size(); ++i) EXPECT_EQ(to_text(once->at(i)), to_text(again->at(i)));
}

TEST(ChurnTable, HasPairsWithFgd) {
  const Folder folder;
  const auto rows = churn_table(quick(folder));
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_EQ(rows->front().policy, "fgd");
  EXPECT_EQ(rows->front().more_than_fgd.mean, 0);
  for (const ChurnRow& row : *rows)
    EXPECT_NEAR(row.dropped.mean - rows->front().dropped.mean, row.more_than_fgd.mean, 1e-9);
}

TEST(Tables, SayThatAListIsNotThere) {
  const Folder folder;
  TableOptions options = quick(folder);
  options.lists = {"huge"};
  EXPECT_FALSE(fill_table(options));
  options.folder += "/nowhere";
  options.lists.clear();
  EXPECT_FALSE(churn_table(options));
}

}  // namespace
}  // namespace ym::sim::placement
