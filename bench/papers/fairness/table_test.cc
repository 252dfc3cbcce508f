#include "papers/fairness/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ym::sim::fairness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kPublished =
    "set,policy,mode,makespan_s,avg_jct_s,worst_ftf_rho,unfair_frac_rho_gt_1.05,n_jobs\n"
    "tacc_32gpus,allox,physical,1,1,1,1,2\n"
    "tacc_32gpus,allox,simulation,32488.6,9926.3,4.9635,0.275,2\n"
    "tacc_32gpus_comparison,allox,simulation,2,2,2,0.2,2\n";

class FairnessTable : public ::testing::Test {
 public:
  FairnessTable() {
    if (::mkdtemp(folder_.data()) == nullptr) std::abort();
    write("published_results_32gpu.csv", std::string(kPublished));
    write("120jobs.tsv", line(1000, 2, 300, 50) + line(10, 1, 100, 0));
  }
  ~FairnessTable() override { std::filesystem::remove_all(folder_); }
  FairnessTable(const FairnessTable&) = delete;
  FairnessTable& operator=(const FairnessTable&) = delete;

 protected:
  static std::string line(int steps, int gpus, int run_s, int submit_s) {
    return "LM\tpython3 main.py\tlanguage\t--steps\t1\t" + std::to_string(steps) + "\t" + std::to_string(gpus) +
           "\tgns\t1\t-1.000000\t" + std::to_string(run_s) + "\t" + std::to_string(submit_s) + "\n";
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_ = std::filesystem::temp_directory_path() / "ym-fairness-XXXXXX";
};

TEST_F(FairnessTable, ReadsJobsBySubmission) {
  const auto jobs = read_jobs(path("120jobs.tsv"), 32);
  ASSERT_TRUE(jobs) << jobs.error().message;
  ASSERT_EQ(jobs->size(), 2U);
  EXPECT_EQ((*jobs)[1].id, 0);
  EXPECT_EQ((*jobs)[1].gpus, 2);
  EXPECT_EQ((*jobs)[1].iterations, 1000);
  EXPECT_EQ((*jobs)[1].work_us, 300 * kSecond);
  EXPECT_EQ((*jobs)[1].submit_us, 50 * kSecond);
}

TEST_F(FairnessTable, SaysWhatIsWrong) {
  EXPECT_THAT(read_jobs(path("120jobs.tsv"), 1).error().message,
              HasSubstr("120jobs.tsv:1: column 7 (gpus): '2' is more than the cluster has"));
  write("short.tsv", "LM\tx\n");
  EXPECT_THAT(read_jobs(path("short.tsv"), 1).error().message, HasSubstr("short.tsv:1"));
  write("none.tsv", line(10, 1, 0, 0));
  EXPECT_THAT(read_jobs(path("none.tsv"), 1).error().message, HasSubstr("(run_s)"));
  write("bad.csv", "set,policy,mode,makespan_s,avg_jct_s,worst_ftf_rho\na,b,simulation,soon,1,1\n");
  EXPECT_THAT(read_published(path("bad.csv"), "a").error().message, HasSubstr("(makespan_s)"));
  EXPECT_EQ(fairness_table({.folder = folder_, .traces = {"220jobs"}}).error().code, ErrorCode::not_found);
  EXPECT_EQ(fairness_table({.folder = folder_, .traces = {"12jobs"}}).error().message, "no trace is called 12jobs");
  EXPECT_EQ(fairness_table({.folder = folder_, .policies = {"fifo"}}).error().message, "no policy is called fifo");
}

TEST_F(FairnessTable, HasARowForEachPolicy) {
  std::vector<std::string> seen;
  const auto rows = fairness_table({.folder = folder_, .traces = {"120jobs"}},
                                   [&](const TableRow& row) { seen.push_back(row.policy); });
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_THAT(seen, ElementsAre("Shockwave", "OSSP", "Themis", "Gavel max-min", "AlloX", "MST", "Gandiva-Fair", "ours",
                                "ours, makespan 160 %", "ours, any makespan", "ours, undeclared", "ours, error-0.5",
                                "ours, error-0.5, 85 %"));
  ASSERT_TRUE((*rows)[4].published);
  EXPECT_DOUBLE_EQ((*rows)[4].published->mean_completion_s, 9926.3);
  EXPECT_FALSE((*rows)[7].published);
  EXPECT_DOUBLE_EQ((*rows)[7].figures.mean_completion_s, (120.0 + 390.0) / 2);
  EXPECT_EQ(table_header().size(), to_text((*rows)[0]).size());
  EXPECT_EQ(table_header().size(), to_text((*rows)[4]).size());
}

TEST(FairnessLikeness, ComparesTheOrderOfWhatWasPublished) {
  std::vector<TableRow> rows(3);
  rows[0].published = Figures{1, 1, 1, 0};
  rows[0].figures = {10, 30, 5, 0};
  rows[2].published = Figures{2, 2, 2, 0};
  rows[2].figures = {20, 20, 6, 0.5};
  const Likeness found = likeness(rows);
  EXPECT_EQ(found.policies, 2U);
  EXPECT_EQ(found.tau.makespan_s, 1);
  EXPECT_EQ(found.tau.mean_completion_s, -1);
  EXPECT_EQ(found.tau.unfair_share, 0);
  EXPECT_THAT(to_text(found), HasSubstr("Order of 2 policies"));
}

}  // namespace
}  // namespace ym::sim::fairness
